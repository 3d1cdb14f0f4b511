#ifndef IMAGE_HOST_JPEG_WRITER_H
#define IMAGE_HOST_JPEG_WRITER_H

#include "ImageHost.h"
#include "Reduction.h"

/// Writes a picture of one band or three as a JPEG, without metadata.
void ih_jpeg_write(
    const uint8_t *pixels, ih_size size, uint32_t bands, int quality, ih_result *result);

#endif
