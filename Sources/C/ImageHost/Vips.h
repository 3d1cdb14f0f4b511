// Pictures by libvips: every format in and out.

#ifndef IMAGE_HOST_VIPS_H
#define IMAGE_HOST_VIPS_H

#include "ImageHost.h"

/// ih_look for any picture.
int ih_vips_look(const void *bytes, size_t length, ih_facts *facts);

/// ih_thumbnail for any picture.
void ih_vips_thumbnail(const void *bytes, size_t length, int side, const char *format,
    int quality, ih_result *result);

#endif
