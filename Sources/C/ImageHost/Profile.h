#ifndef IMAGE_HOST_PROFILE_H
#define IMAGE_HOST_PROFILE_H

#include <stddef.h>
#include <stdint.h>

/// Whether an ICC profile describes sRGB, so that a picture's values may stay as they are.
int ih_is_srgb(const uint8_t *profile, size_t length);

#endif
