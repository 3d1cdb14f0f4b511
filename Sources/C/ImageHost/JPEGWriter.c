#include "JPEGWriter.h"

#ifdef IMAGES

#include <stdlib.h>

#include "Escape.h"

/// A file in memory.
typedef struct sink {
  struct jpeg_destination_mgr manager;
  uint8_t *bytes;
  size_t capacity;
} sink;

typedef struct writer {
  struct jpeg_compress_struct jpeg;
  ih_escape escape;
  sink sink;
} writer;

/// Makes room behind what is there.
static boolean grow(j_compress_ptr jpeg) {
  sink *sink = (struct sink *)jpeg->dest;
  size_t filled = sink->capacity, capacity = filled == 0 ? 16384 : filled * 2;
  uint8_t *bytes = realloc(sink->bytes, capacity);
  if (bytes == NULL) ih_escape_leave((j_common_ptr)jpeg, "there is no memory for it");
  sink->bytes = bytes;
  sink->capacity = capacity;
  sink->manager.next_output_byte = bytes + filled;
  sink->manager.free_in_buffer = capacity - filled;
  return TRUE;
}

static void begin(j_compress_ptr jpeg) { grow(jpeg); }

static void end(j_compress_ptr jpeg) { (void)jpeg; }

static int write_all(writer *writer, const uint8_t *pixels, ih_size size, int quality) {
  j_compress_ptr jpeg = &writer->jpeg;
  if (setjmp(writer->escape.back) != 0) return 0;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  // As libvips has it: colours at half the size below that quality.
  if (quality >= 90) jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 1;
  jpeg->optimize_coding = TRUE;
  jpeg_start_compress(jpeg, TRUE);
  for (uint32_t y = 0; y < size.height; y++) {
    // "The sample rows are not changed": the type is from before `const` (libjpeg.txt).
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)y * size.width * (size_t)jpeg->input_components);
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
  return 1;
}

static int create(writer *writer) {
  if (setjmp(writer->escape.back) != 0) return 0;
  jpeg_create_compress(&writer->jpeg);
  return 1;
}

void ih_jpeg_write(
    const uint8_t *pixels, ih_size size, uint32_t bands, int quality, ih_result *result) {
  writer writer = {0};
  writer.sink.manager = (struct jpeg_destination_mgr){
      .init_destination = begin, .empty_output_buffer = grow, .term_destination = end};
  writer.jpeg.err = ih_escape_begin(&writer.escape, result->problem);
  int is_good = create(&writer);
  if (is_good) {
    writer.jpeg.dest = &writer.sink.manager;
    writer.jpeg.image_width = size.width;
    writer.jpeg.image_height = size.height;
    writer.jpeg.input_components = (int)bands;
    writer.jpeg.in_color_space = bands == 1 ? JCS_GRAYSCALE : JCS_RGB;
    is_good = write_all(&writer, pixels, size, quality);
  }
  jpeg_destroy_compress(&writer.jpeg);
  if (is_good) {
    result->bytes = writer.sink.bytes;
    result->length = writer.sink.capacity - writer.sink.manager.free_in_buffer;
    result->drop = free;
  } else {
    free(writer.sink.bytes);
  }
}

#endif
