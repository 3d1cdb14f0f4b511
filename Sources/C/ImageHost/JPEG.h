// Thumbnails of JPEGs by libjpeg, which scales while it decodes.

#ifndef IMAGE_HOST_JPEG_H
#define IMAGE_HOST_JPEG_H

#include "ImageHost.h"

/// Whether the bytes begin like a JPEG.
int ih_is_jpeg(const void *bytes, size_t length);

/// ih_look for a JPEG.
int ih_jpeg_look(const void *bytes, size_t length, ih_facts *facts);

/// Makes a thumbnail of a JPEG, as a JPEG. 0 when that is better left to libvips: colours that need
/// a profile, four inks, a thumbnail that is itself large. 1 when it is made, or refused.
int ih_jpeg_thumbnail(
    const void *bytes, size_t length, int side, int quality, ih_result *result);

#endif
