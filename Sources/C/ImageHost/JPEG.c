#include "JPEG.h"

#ifdef IMAGES

#include <string.h>

#include "Bounds.h"
#include "Escape.h"
#include "Exif.h"
#include "JPEGWriter.h"
#include "Profile.h"
#include "Reduction.h"

/// The most bytes of a thumbnail, which is held whole here; libvips holds a few lines.
#define MOST_HELD ((uint64_t)16 << 20)
/// The most passes over one picture: encoders make ten, and each costs a walk over all of it.
#define MOST_SCANS 100

/// A JPEG that is being read.
typedef struct reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_progress_mgr progress;
  ih_escape escape;
  ih_reduction reduction;
} reader;

int ih_is_jpeg(const void *bytes, size_t length) {
  return length >= 2 && memcmp(bytes, "\xff\xd8", 2) == 0;
}

const char *ih_jpeg_version(void) {
#define IH_WORDS(text) #text
#define IH_VALUE(macro) IH_WORDS(macro)
#ifdef LIBJPEG_TURBO_VERSION
  return "libjpeg-turbo " IH_VALUE(LIBJPEG_TURBO_VERSION);
#else
  return "libjpeg " IH_VALUE(JPEG_LIB_VERSION);
#endif
}

static void count_scans(j_common_ptr jpeg) {
  if (((j_decompress_ptr)jpeg)->input_scan_number > MOST_SCANS)
    ih_escape_leave(jpeg, "it has more than 100 scans");
}

/// Reads what stands before the picture's data.
static int read_head(reader *reader, const void *bytes, size_t length, char *problem) {
  j_decompress_ptr jpeg = &reader->jpeg;
  jpeg->err = ih_escape_begin(&reader->escape, problem);
  if (setjmp(reader->escape.back) != 0) return 0;
  jpeg_create_decompress(jpeg);
  // What is decoded whole, as progressive pictures are, takes two bytes a value.
  jpeg->mem->max_memory_to_use = (long)MOST_BYTES;
  reader->progress.progress_monitor = count_scans;
  jpeg->progress = &reader->progress;
  jpeg_mem_src(jpeg, bytes, length);
  jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0xffff);
  jpeg_save_markers(jpeg, JPEG_APP0 + 2, 0xffff);
  jpeg_read_header(jpeg, TRUE);
  return ih_is_bounded(
      jpeg->image_width, jpeg->image_height, (uint64_t)jpeg->num_components, problem, 256);
}

/// How the picture is to be turned, by the first segment that says it.
static int orientation(const reader *reader) {
  for (jpeg_saved_marker_ptr marker = reader->jpeg.marker_list; marker; marker = marker->next) {
    int found = marker->marker == JPEG_APP0 + 1
                    ? ih_exif_orientation(marker->data, marker->data_length)
                    : 0;
    if (found != 0) return found;
  }
  return 1;
}

/// Whether the values are those of sRGB, or grey: no profile, or one that changes nothing.
static int is_plain(const reader *reader) {
  J_COLOR_SPACE space = reader->jpeg.jpeg_color_space;
  int is_grey = reader->jpeg.num_components == 1 && space == JCS_GRAYSCALE;
  int is_color = reader->jpeg.num_components == 3 && (space == JCS_YCbCr || space == JCS_RGB);
  if (!is_grey && !is_color) return 0;
  for (jpeg_saved_marker_ptr marker = reader->jpeg.marker_list; marker; marker = marker->next) {
    // "ICC_PROFILE", a zero, the part's number, how many there are (ICC.1:2010, B.4).
    if (marker->marker != JPEG_APP0 + 2 || marker->data_length < 14) continue;
    if (memcmp(marker->data, "ICC_PROFILE", 12) != 0) continue;
    if (is_grey || marker->data[13] != 1) return 0;
    if (!ih_is_srgb(marker->data + 14, marker->data_length - 14)) return 0;
  }
  return 1;
}

int ih_jpeg_look(const void *bytes, size_t length, ih_facts *facts) {
  reader reader = {0};
  snprintf(facts->format, sizeof facts->format, "jpeg");
  int is_good = read_head(&reader, bytes, length, facts->problem);
  if (is_good) {
    int is_turned = orientation(&reader) >= 5;
    facts->width = is_turned ? reader.jpeg.image_height : reader.jpeg.image_width;
    facts->height = is_turned ? reader.jpeg.image_width : reader.jpeg.image_height;
  }
  jpeg_destroy_decompress(&reader.jpeg);
  return is_good;
}

/// Decodes the picture into the reduction, to its last byte.
static int decode(reader *reader) {
  j_decompress_ptr jpeg = &reader->jpeg;
  if (setjmp(reader->escape.back) != 0) return 0;
  jpeg_start_decompress(jpeg);
  JSAMPARRAY line = jpeg->mem->alloc_sarray((j_common_ptr)jpeg, JPOOL_IMAGE,
      jpeg->output_width * (JDIMENSION)jpeg->output_components, 1);
  while (jpeg->output_scanline < jpeg->output_height) {
    jpeg_read_scanlines(jpeg, line, 1);
    ih_reduction_take(&reader->reduction, *line);
  }
  jpeg_finish_decompress(jpeg);
  return 1;
}

/// Decodes and writes what `read_head` has found good.
static void make(reader *reader, const ih_plan *plan, int quality, ih_result *result) {
  uint32_t bands = (uint32_t)reader->jpeg.num_components;
  reader->jpeg.scale_denom = plan->divisor;
  reader->jpeg.out_color_space = bands == 1 ? JCS_GRAYSCALE : JCS_RGB;
  ih_reduction *reduction = &reader->reduction;
  if (!ih_reduction_begin(reduction, plan, bands, orientation(reader)))
    snprintf(result->problem, sizeof result->problem, "there is no memory for it");
  else if (decode(reader))
    ih_jpeg_write(
        reduction->pixels, ih_reduction_size(reduction), bands, quality, result);
  ih_reduction_end(reduction);
}

int ih_jpeg_thumbnail(
    const void *bytes, size_t length, int side, int quality, ih_result *result) {
  reader reader = {0};
  int is_ours = 1;
  if (read_head(&reader, bytes, length, result->problem)) {
    ih_size size = {reader.jpeg.image_width, reader.jpeg.image_height};
    ih_plan plan = ih_plan_for(size, (uint32_t)side);
    uint64_t pixels = (uint64_t)plan.reduced.width * plan.reduced.height;
    is_ours = is_plain(&reader) && pixels * 3 <= MOST_HELD;
    if (is_ours) make(&reader, &plan, quality, result);
  }
  jpeg_destroy_decompress(&reader.jpeg);
  return is_ours;
}

#endif
