#include "Reduction.h"

#ifdef IMAGES

#include <stdlib.h>
#include <string.h>

static double least(double a, double b) { return a < b ? a : b; }

/// By what both sides are divided so that neither is longer than `side`.
static double shrink(ih_size size, uint32_t side) {
  uint32_t longer = size.width > size.height ? size.width : size.height;
  return longer > side ? (double)longer / side : 1;
}

ih_plan ih_plan_for(ih_size picture, uint32_t side) {
  // As libvips' vips_thumbnail() does, so that the sides are the same, whichever library makes the
  // thumbnail: the decoder's part leaves at least a factor of two to the reduction, for its squares
  // alone look coarse, and no side becomes nothing.
  double whole = least(shrink(picture, side), least(picture.width, picture.height));
  ih_plan plan = {.divisor = whole >= 16 ? 8 : whole >= 8 ? 4 : whole >= 4 ? 2 : 1};
  plan.decoded = (ih_size){picture.width / plan.divisor, picture.height / plan.divisor};
  double rest = shrink(plan.decoded, side);
  plan.reduced.width =
      (uint32_t)(plan.decoded.width / least(rest, plan.decoded.width) + 0.5);
  plan.reduced.height =
      (uint32_t)(plan.decoded.height / least(rest, plan.decoded.height) + 0.5);
  return plan;
}

int ih_reduction_begin(
    ih_reduction *reduction, const ih_plan *plan, uint32_t bands, int orientation) {
  size_t values = (size_t)plan->reduced.width * bands;
  *reduction = (ih_reduction){.from = plan->decoded, .to = plan->reduced, .bands = bands,
      .orientation = orientation, .line = calloc(values, sizeof(uint32_t)),
      .sums = calloc(values, sizeof(uint64_t)), .pixels = malloc(values * plan->reduced.height),
      .missing = plan->decoded.height};
  return reduction->line != NULL && reduction->sums != NULL && reduction->pixels != NULL;
}

/// Makes a line narrower. A pixel of it is `to.width` wide, one of the thumbnail `from.width`, so
/// that nothing is rounded: a sum is below 2^8 * 2^16.
static inline __attribute__((always_inline)) void narrow(
    ih_reduction *reduction, const uint8_t *line, uint32_t bands) {
  uint32_t step = reduction->to.width, missing = reduction->from.width;
  uint32_t *out = reduction->line;
  memset(out, 0, (size_t)step * bands * sizeof *out);
  for (uint32_t x = 0; x < reduction->from.width; x++, line += bands) {
    uint32_t part = step < missing ? step : missing;
    for (uint32_t band = 0; band < bands; band++) out[band] += line[band] * part;
    missing -= part;
    if (missing > 0) continue;
    out += bands;
    missing = reduction->from.width;
    if (step == part) continue;
    for (uint32_t band = 0; band < bands; band++) out[band] += line[band] * (step - part);
    missing -= step - part;
  }
}

/// Adds `part` of the narrowed line to the sums.
static void add(ih_reduction *reduction, uint32_t part) {
  size_t values = (size_t)reduction->to.width * reduction->bands;
  for (size_t i = 0; i < values; i++)
    reduction->sums[i] += (uint64_t)reduction->line[i] * part;
  reduction->missing -= part;
}

/// Where a pixel of the thumbnail goes: (x, y) as it was taken, turned as Exif says (2.3, 4.6.4).
static size_t place(const ih_reduction *reduction, size_t x, size_t y) {
  size_t width = reduction->to.width, height = reduction->to.height;
  size_t right = width - 1 - x, under = height - 1 - y;
  switch (reduction->orientation) {
  case 2: return y * width + right;
  case 3: return under * width + right;
  case 4: return under * width + x;
  case 5: return x * height + y;
  case 6: return x * height + under;
  case 7: return right * height + under;
  case 8: return right * height + y;
  default: return y * width + x;
  }
}

/// Writes the line that is complete, and begins the next.
static void finish_line(ih_reduction *reduction) {
  uint32_t bands = reduction->bands;
  uint64_t area = (uint64_t)reduction->from.width * reduction->from.height;
  for (uint32_t x = 0; x < reduction->to.width; x++) {
    uint8_t *pixel = reduction->pixels + place(reduction, x, reduction->y) * bands;
    for (uint32_t band = 0; band < bands; band++)
      pixel[band] = (uint8_t)((reduction->sums[x * bands + band] + area / 2) / area);
  }
  memset(reduction->sums, 0, (size_t)reduction->to.width * bands * sizeof *reduction->sums);
  reduction->missing = reduction->from.height;
  reduction->y++;
}

void ih_reduction_take(ih_reduction *reduction, const uint8_t *line) {
  if (reduction->y == reduction->to.height) return;
  // The compiler knows the count of bands in each call, which makes it twice as fast.
  if (reduction->bands == 3)
    narrow(reduction, line, 3);
  else
    narrow(reduction, line, 1);
  // A line is `to.height` high, one of the thumbnail `from.height`.
  uint32_t step = reduction->to.height;
  uint32_t part = step < reduction->missing ? step : reduction->missing;
  add(reduction, part);
  if (reduction->missing > 0) return;
  finish_line(reduction);
  if (part < step) add(reduction, step - part);
}

ih_size ih_reduction_size(const ih_reduction *reduction) {
  ih_size size = reduction->to;
  return reduction->orientation >= 5 ? (ih_size){size.height, size.width} : size;
}

void ih_reduction_end(ih_reduction *reduction) {
  free(reduction->line);
  free(reduction->sums);
  free(reduction->pixels);
  *reduction = (ih_reduction){0};
}

#endif
