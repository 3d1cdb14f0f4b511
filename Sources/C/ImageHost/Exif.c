#include "Exif.h"

#ifdef IMAGES

#include <string.h>

/// A block of TIFF, in one of its two orders.
typedef struct block {
  const uint8_t *bytes;
  size_t length;
  int is_big;
} block;

/// `count` bytes as a number; 0 where there are none.
static uint32_t number(block tiff, size_t place, size_t count) {
  if (place > tiff.length || count > tiff.length - place) return 0;
  uint32_t value = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t byte = tiff.bytes[place + (tiff.is_big ? i : count - 1 - i)];
    value = value << 8 | byte;
  }
  return value;
}

int ih_exif_orientation(const uint8_t *bytes, size_t length) {
  // "The Exif marker's identifier code is "Exif", 00, 00" (Exif 2.3, 4.7.2), then comes a TIFF: the
  // order of bytes, 42, where its first directory is.
  if (length < 14 || memcmp(bytes, "Exif\0\0", 6) != 0) return 0;
  block tiff = {bytes + 6, length - 6, bytes[6] == 'M'};
  if (number(tiff, 2, 2) != 42) return 0;
  size_t directory = number(tiff, 4, 4), count = number(tiff, directory, 2);
  for (size_t i = 0; i < count; i++) {
    // Tag, type, count, value; orientation is tag 0x0112, one SHORT, which is type 3.
    size_t entry = directory + 2 + i * 12;
    if (number(tiff, entry, 2) != 0x0112 || number(tiff, entry + 2, 2) != 3) continue;
    uint32_t value = number(tiff, entry + 8, 2);
    return value >= 1 && value <= 8 ? (int)value : 0;
  }
  return 0;
}

#endif
