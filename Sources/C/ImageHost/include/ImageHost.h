#ifndef IMAGE_HOST_H
#define IMAGE_HOST_H

// The only way to libjpeg and libvips: the one leaves its functions by longjmp, the other's take
// their options as variable arguments, and Swift can do neither. Thumbnails of JPEGs are made by
// libjpeg; libvips, which takes fifty megabytes, is loaded where something else is wanted. Built
// without the trait `Images`, it has no pictures: ih_is_there() is 0.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that were made here, or words that say why there are none.
typedef struct ih_result {
  /// To be given back by ih_free; NULL where it failed.
  void *bytes;
  size_t length;
  /// Gives the bytes back.
  void (*drop)(void *bytes);
  /// Whether it is no fault of the picture's: libvips was needed and cannot be had.
  int lacks_library;
  char problem[256];
} ih_result;

/// What a picture says of itself before any of it is decoded.
typedef struct ih_facts {
  /// As it is to be shown: its orientation is taken into account.
  int64_t width;
  int64_t height;
  /// "jpeg", "png", "webp", "gif", "heif" or "tiff".
  char format[8];
  /// Whether it is no fault of the picture's: libvips was needed and cannot be had.
  int lacks_library;
  char problem[256];
} ih_facts;

/// Whether pictures were built in.
int ih_is_there(void);

/// The release of libjpeg.
const char *ih_jpeg_version(void);

/// Reads a picture's head; 0 where it cannot be, and `problem` says why.
int ih_look(const void *bytes, size_t length, ih_facts *facts);

/// Makes a picture smaller while it is decoded, so that neither side is longer than `side`; one
/// that is small enough is only encoded again. It is turned upright and has no metadata any more.
///
/// `format` is "jpeg", "png" or "webp", or NULL for the picture's own, and for PNG where that is
/// none of them; `quality` from 1 to 100 counts for the first and the last.
ih_result ih_thumbnail(
    const void *bytes, size_t length, int side, const char *format, int quality);

void ih_free(ih_result *result);

#ifdef __cplusplus
}
#endif

#endif
