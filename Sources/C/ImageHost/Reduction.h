// A picture made smaller, line by line: each pixel is the mean of the area it stands for.

#ifndef IMAGE_HOST_REDUCTION_H
#define IMAGE_HOST_REDUCTION_H

#include <stddef.h>
#include <stdint.h>

/// Width and height in pixels.
typedef struct ih_size {
  uint32_t width, height;
} ih_size;

/// How a picture becomes a thumbnail.
typedef struct ih_plan {
  /// What the decoder divides both sides by: 1, 2, 4 or 8.
  uint32_t divisor;
  /// What is taken of the decoded picture: whole squares of that many pixels.
  ih_size decoded;
  /// The thumbnail, before it is turned.
  ih_size reduced;
} ih_plan;

/// The plan for a picture none of whose sides may be longer than `side`.
ih_plan ih_plan_for(ih_size picture, uint32_t side);

/// A picture that is being reduced.
typedef struct ih_reduction {
  ih_size from, to;
  uint32_t bands;
  /// How the thumbnail is turned: 1 to 8, as Exif counts.
  int orientation;
  /// One line made narrower, times `from.width`.
  uint32_t *line;
  /// The lines that make one of the thumbnail, times `from.width` and parts of `from.height`.
  uint64_t *sums;
  /// The thumbnail, upright.
  uint8_t *pixels;
  /// The line of the thumbnail that is due, and how much of it is missing.
  uint32_t y, missing;
} ih_reduction;

/// Begins; 0 where there is no memory for it.
int ih_reduction_begin(ih_reduction *reduction, const ih_plan *plan, uint32_t bands,
    int orientation);

/// Takes the next line; those behind the last are passed over.
void ih_reduction_take(ih_reduction *reduction, const uint8_t *line);

/// The thumbnail's sides, upright.
ih_size ih_reduction_size(const ih_reduction *reduction);

/// Gives back what it took; one that has not begun is all zeros.
void ih_reduction_end(ih_reduction *reduction);

#endif
