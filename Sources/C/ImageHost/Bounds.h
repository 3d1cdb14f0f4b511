// How much one picture may take.

#ifndef IMAGE_HOST_BOUNDS_H
#define IMAGE_HOST_BOUNDS_H

#include <stdint.h>
#include <stdio.h>

/// The most bytes a picture may have when it is decoded whole, as progressive ones are: one of a
/// few kilobytes can say that it has billions.
#define MOST_BYTES ((uint64_t)256 << 20)

/// Whether a picture may be decoded; `each` is a pixel's bytes. If not, `problem` says why.
static inline int ih_is_bounded(
    int64_t width, int64_t height, uint64_t each, char *problem, size_t capacity) {
  // Each side is below 2^31.
  uint64_t pixels = (uint64_t)width * (uint64_t)height;
  if (pixels != 0 && each != 0 && pixels <= MOST_BYTES / each) return 1;
  snprintf(problem, capacity, "%lld x %lld pixels are too many", (long long)width,
      (long long)height);
  return 0;
}

#endif
