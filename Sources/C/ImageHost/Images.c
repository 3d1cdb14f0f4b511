// Which library a picture goes to.

#include "ImageHost.h"

#ifdef IMAGES

#include <string.h>

#include "JPEG.h"
#include "Vips.h"

int ih_is_there(void) { return 1; }

int ih_look(const void *bytes, size_t length, ih_facts *facts) {
  memset(facts, 0, sizeof *facts);
  return ih_is_jpeg(bytes, length) ? ih_jpeg_look(bytes, length, facts)
                                   : ih_vips_look(bytes, length, facts);
}

ih_result ih_thumbnail(
    const void *bytes, size_t length, int side, const char *format, int quality) {
  ih_result result = {0};
  int is_made = 0;
  if (ih_is_jpeg(bytes, length) && (format == NULL || strcmp(format, "jpeg") == 0))
    is_made = ih_jpeg_thumbnail(bytes, length, side, quality, &result);
  if (!is_made) ih_vips_thumbnail(bytes, length, side, format, quality, &result);
  return result;
}

void ih_free(ih_result *result) {
  if (result->bytes != NULL) result->drop(result->bytes);
  result->bytes = NULL;
}

#else

int ih_is_there(void) { return 0; }

const char *ih_jpeg_version(void) { return NULL; }

int ih_look(const void *bytes, size_t length, ih_facts *facts) {
  (void)bytes, (void)length;
  *facts = (ih_facts){0};
  return 0;
}

ih_result ih_thumbnail(
    const void *bytes, size_t length, int side, const char *format, int quality) {
  (void)bytes, (void)length, (void)side, (void)format, (void)quality;
  return (ih_result){0};
}

void ih_free(ih_result *result) { (void)result; }

#endif
