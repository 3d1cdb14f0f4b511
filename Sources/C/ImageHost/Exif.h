#ifndef IMAGE_HOST_EXIF_H
#define IMAGE_HOST_EXIF_H

#include <stddef.h>
#include <stdint.h>

/// How a picture is to be turned, from 1 (as it is) to 8, by the content of a segment APP1; 0 where
/// it says nothing about that.
int ih_exif_orientation(const uint8_t *bytes, size_t length);

#endif
