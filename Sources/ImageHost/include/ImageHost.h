#ifndef IMAGE_HOST_H
#define IMAGE_HOST_H

// The only way to libvips, whose functions take their options as variable arguments, which Swift
// cannot pass. Built without the trait `Images`, it has no pictures: ih_is_there() is 0.

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
  char problem[256];
} ih_result;

/// What a picture says of itself before any of it is decoded.
typedef struct ih_facts {
  /// As it is to be shown: its orientation is taken into account.
  int64_t width;
  int64_t height;
  /// "jpeg", "png", "webp", "gif", "heif" or "tiff".
  char format[8];
  char problem[256];
} ih_facts;

/// Whether pictures were built in.
int ih_is_there(void);

/// Makes the library ready, which comes before all that follows; NULL, or why it cannot be.
const char *ih_start(void);

/// The library's release.
const char *ih_version(void);

/// Reads a picture's head; 0 where it cannot be, and `problem` says why.
int ih_look(const void *bytes, size_t length, ih_facts *facts);

/// Makes a picture smaller while it is decoded, so that neither side is longer than `side`; one
/// that is small enough is only written anew. It is turned upright and has no metadata any more.
///
/// `format` is "jpeg", "png" or "webp"; `quality` from 1 to 100 counts for the first and the last.
ih_result ih_thumbnail(
    const void *bytes, size_t length, int side, const char *format, int quality);

void ih_free(void *bytes);

#ifdef __cplusplus
}
#endif

#endif
