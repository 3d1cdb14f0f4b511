#include "Profile.h"

#ifdef IMAGES

#include <math.h>
#include <string.h>

/// A tag's content; `bytes` is NULL where the profile has no such tag.
typedef struct tag {
  const uint8_t *bytes;
  size_t length;
} tag;

static uint32_t big(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// An s15Fixed16Number (ICC.1:2010, 4.6).
static double fixed(const uint8_t *bytes) { return (int32_t)big(bytes) / 65536.0; }

/// Finds a tag in the table behind the header of 128 bytes (7.3).
static tag find(const uint8_t *profile, size_t length, const char *name) {
  uint32_t count = big(profile + 128);
  for (size_t i = 0; i < count && 144 + i * 12 <= length; i++) {
    const uint8_t *entry = profile + 132 + i * 12;
    size_t place = big(entry + 4), size = big(entry + 8);
    if (memcmp(entry, name, 4) == 0 && size >= 12 && place <= length && size <= length - place)
      return (tag){profile + place, size};
  }
  return (tag){NULL, 0};
}

/// Whether a colorant is near the one that sRGB has (an XYZType, 10.31).
static int is_near(tag colorant, const double *wanted) {
  if (colorant.bytes == NULL || colorant.length < 20) return 0;
  if (memcmp(colorant.bytes, "XYZ ", 4) != 0) return 0;
  for (size_t i = 0; i < 3; i++)
    if (!(fabs(fixed(colorant.bytes + 8 + i * 4) - wanted[i]) < 0.002)) return 0;
  return 1;
}

/// A curve's value at `x`, of those that sRGB comes in; below nothing for any other.
static double value(tag curve, double x) {
  const uint8_t *bytes = curve.bytes;
  if (memcmp(bytes, "curv", 4) == 0) {
    size_t count = big(bytes + 8);
    if (count < 256 || count > (curve.length - 12) / 2) return -1;
    const uint8_t *entry = bytes + 12 + 2 * (size_t)(x * (double)(count - 1) + 0.5);
    return (entry[0] << 8 | entry[1]) / 65535.0;
  }
  // A parametricCurveType of function type 3: Y = (aX + b)^g where X >= d, else cX (10.16).
  if (memcmp(bytes, "para", 4) != 0 || curve.length < 32 || bytes[8] != 0 || bytes[9] != 3)
    return -1;
  double g = fixed(bytes + 12), a = fixed(bytes + 16), b = fixed(bytes + 20);
  return x >= fixed(bytes + 28) ? pow(a * x + b, g) : fixed(bytes + 24) * x;
}

/// Whether a curve is that of sRGB (IEC 61966-2-1) as nearly as eight bits show.
static int is_usual(tag curve) {
  if (curve.bytes == NULL) return 0;
  // At such places a table of 256, 1,024 or 4,096 values has entries, or nearly.
  for (int i = 0; i <= 15; i++) {
    double x = i / 15.0;
    double wanted = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
    if (!(fabs(value(curve, x) - wanted) < 0.002)) return 0;
  }
  return 1;
}

int ih_is_srgb(const uint8_t *profile, size_t length) {
  // Its colorants, adapted to D50 as a profile has them.
  static const double red[] = {0.4360, 0.2225, 0.0139}, green[] = {0.3851, 0.7169, 0.0971},
                      blue[] = {0.1431, 0.0606, 0.7141};
  // The space of the device and the one it is connected by stand at 16 (7.2.1).
  if (length < 132 || memcmp(profile + 16, "RGB XYZ ", 8) != 0) return 0;
  // Tables go before matrix and curves where a profile has both (9.2).
  if (find(profile, length, "A2B0").bytes != NULL) return 0;
  return is_near(find(profile, length, "rXYZ"), red)
      && is_near(find(profile, length, "gXYZ"), green)
      && is_near(find(profile, length, "bXYZ"), blue)
      && is_usual(find(profile, length, "rTRC")) && is_usual(find(profile, length, "gTRC"))
      && is_usual(find(profile, length, "bTRC"));
}

#endif
