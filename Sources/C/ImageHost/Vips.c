// libvips, held to what is safe: known formats, a bound on what a picture may take when it is
// decoded, no caches, one thread, nothing on the terminal.

#include "Vips.h"

#ifdef IMAGES

#include <stdio.h>
#include <string.h>

#include "Bounds.h"
#include "Library.h"

static const char *const formats[] = {"jpeg", "png", "webp", "gif", "heif", "tiff"};

/// Whether libvips cannot be had, and why.
static int lacks_library(char *problem, size_t capacity) {
  const char *why = ih_start();
  if (why != NULL) snprintf(problem, capacity, "%s", why);
  return why != NULL;
}

/// Takes over the library's last words, on one line.
static void explain(char *problem, size_t capacity) {
  snprintf(problem, capacity, "%s", ih_vips.last_words());
  ih_vips.forget_words();
  size_t length = strlen(problem);
  while (length > 0 && problem[length - 1] == '\n') problem[--length] = 0;
  for (char *c = problem; *c != 0; c++)
    if (*c == '\n') *c = ' ';
  if (length == 0) snprintf(problem, capacity, "the picture cannot be read");
}

/// The format that the bytes begin like, of those that are let in; NULL for any other.
static const char *format_of(const void *bytes, size_t length) {
  const char *type = ih_vips.loader_type(bytes, length);
  const char *loader = type == NULL ? NULL : ih_vips.nickname(ih_vips.type_named(type));
  if (loader == NULL) return NULL;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    size_t size = strlen(formats[i]);
    if (strncmp(loader, formats[i], size) == 0 && strncmp(loader + size, "load", 4) == 0)
      return formats[i];
  }
  return NULL;
}

/// Opens the head of a picture; nothing of it is decoded yet.
static VipsImage *open_head(const void *bytes, size_t length, ih_facts *facts) {
  const char *format = format_of(bytes, length);
  if (format == NULL) {
    ih_vips.forget_words();
    snprintf(facts->problem, sizeof facts->problem, "it is no picture of a known format");
    return NULL;
  }
  snprintf(facts->format, sizeof facts->format, "%s", format);
  VipsImage *image = ih_vips.open(bytes, length, "", "access", IH_ACCESS_SEQUENTIAL, NULL);
  if (image == NULL) explain(facts->problem, sizeof facts->problem);
  return image;
}

/// Looks at the head; 1 when the picture can be decoded.
static int look(const void *bytes, size_t length, ih_facts *facts) {
  VipsImage *image = open_head(bytes, length, facts);
  if (image == NULL) return 0;
  int is_turned = ih_vips.orientation(image) >= 5;
  facts->width = is_turned ? ih_vips.height(image) : ih_vips.width(image);
  facts->height = is_turned ? ih_vips.width(image) : ih_vips.height(image);
  // VIPS has at most 16 bytes a band and few bands.
  uint64_t each = (uint64_t)ih_vips.bands(image) * ih_vips.band_bytes(ih_vips.band_format(image));
  int is_good = ih_is_bounded(ih_vips.width(image), ih_vips.height(image), each, facts->problem,
      sizeof facts->problem);
  ih_vips.drop(image);
  return is_good;
}

int ih_vips_look(const void *bytes, size_t length, ih_facts *facts) {
  if (lacks_library(facts->problem, sizeof facts->problem)) {
    facts->lacks_library = 1;
    return 0;
  }
  int is_good = look(bytes, length, facts);
  // "You should call this function when a thread exits": ours come and go.
  ih_vips.end_thread();
  return is_good;
}

/// Writes a picture; what is transparent is white where the format has no such thing.
static int save(VipsImage *image, const char *format, int quality, ih_result *result) {
  if (strcmp(format, "png") == 0)
    return ih_vips.save_png(image, &result->bytes, &result->length, "strip", 1, NULL);
  if (strcmp(format, "webp") == 0)
    return ih_vips.save_webp(
        image, &result->bytes, &result->length, "Q", quality, "strip", 1, NULL);
  VipsArrayDouble *white = ih_vips.numbers(1, 255.0);
  int status = ih_vips.save_jpeg(image, &result->bytes, &result->length, "Q", quality, "strip",
      1, "background", white, "optimize_coding", 1, NULL);
  // An array of numbers is an area under another name: its only member.
  ih_vips.drop_area((VipsArea *)white);
  return status;
}

/// The format of a thumbnail when the caller names none: the picture's own, or PNG.
static const char *own_format(const ih_facts *facts) {
  int is_written = strcmp(facts->format, "jpeg") == 0 || strcmp(facts->format, "webp") == 0;
  return is_written ? facts->format : "png";
}

static void make(const void *bytes, size_t length, int side, const char *format, int quality,
    ih_result *result) {
  ih_facts facts = {0};
  if (!look(bytes, length, &facts)) {
    memcpy(result->problem, facts.problem, sizeof result->problem);
    return;
  }
  if (format == NULL) format = own_format(&facts);
  VipsImage *image = NULL;
  // A picture that is cut short or damaged is refused, and not filled up with grey: its own
  // parameter `fail_on` does not reach the loader in libvips 8.14, the loader's option does. The
  // bytes are taken for reading alone, whatever the parameter's type says.
  int status = ih_vips.thumbnail((void *)bytes, length, &image, side, "height", side, "size",
      IH_SIZE_DOWN, "export_profile", "srgb", "option_string", "fail_on=error", NULL);
  VipsImage *plain = NULL;
  if (status == 0) status = ih_vips.copy(image, &plain, NULL);
  if (status == 0) {
    // What has no profile is taken for sRGB, which it is now.
    ih_vips.remove_field(plain, IH_PROFILE);
    status = save(plain, format, quality, result);
  }
  if (plain != NULL) ih_vips.drop(plain);
  if (status != 0) {
    explain(result->problem, sizeof result->problem);
    ih_vips.drop_bytes(result->bytes);
    result->bytes = NULL;
  }
  if (image != NULL) ih_vips.drop(image);
}

void ih_vips_thumbnail(const void *bytes, size_t length, int side, const char *format,
    int quality, ih_result *result) {
  if (lacks_library(result->problem, sizeof result->problem)) {
    result->lacks_library = 1;
    return;
  }
  result->drop = ih_vips.drop_bytes;
  make(bytes, length, side, format, quality, result);
  ih_vips.end_thread();
}

#endif
