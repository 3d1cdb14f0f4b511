// The part of libvips that is in use, loaded when the first picture needs it.
//
// libvips brings some seventy libraries with it: linked, they would take their time and memory of
// every run, and most runs have no pictures. So that nothing has to be linked, its functions are
// declared here; a test compares the declarations with the library's own header.

#ifndef IMAGE_HOST_LIBRARY_H
#define IMAGE_HOST_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#ifndef VIPS_VIPS_H
typedef struct _VipsImage VipsImage;
typedef struct _VipsArea VipsArea;
typedef struct _VipsArrayDouble VipsArrayDouble;
typedef int VipsBandFormat;
typedef int GLogLevelFlags;
typedef size_t GType;
typedef void (*GLogFunc)(const char *, GLogLevelFlags, const char *, void *);
#endif

/// `VIPS_ACCESS_SEQUENTIAL`, `VIPS_SIZE_DOWN`, `G_LOG_LEVEL_MASK` and `VIPS_META_ICC_NAME`.
enum { IH_ACCESS_SEQUENTIAL = 1, IH_SIZE_DOWN = 2, IH_ALL_LEVELS = ~3 };
#define IH_PROFILE "icc-profile-data"

int vips_init(const char *name);
void vips_cache_set_max(int operations);
void vips_cache_set_max_mem(size_t bytes);
void vips_cache_set_max_files(int files);
void vips_concurrency_set(int threads);
void vips_thread_shutdown(void);
const char *vips_error_buffer(void);
void vips_error_clear(void);
const char *vips_foreign_find_load_buffer(const void *bytes, size_t length);
const char *vips_nickname_find(GType type);
VipsImage *vips_image_new_from_buffer(
    const void *bytes, size_t length, const char *options, ...);
int vips_image_get_width(const VipsImage *image);
int vips_image_get_height(const VipsImage *image);
int vips_image_get_bands(const VipsImage *image);
VipsBandFormat vips_image_get_format(const VipsImage *image);
uint64_t vips_format_sizeof(VipsBandFormat format);
int vips_image_get_orientation(VipsImage *image);
int vips_thumbnail_buffer(void *bytes, size_t length, VipsImage **out, int width, ...);
int vips_copy(VipsImage *image, VipsImage **out, ...);
int vips_image_remove(VipsImage *image, const char *field);
int vips_pngsave_buffer(VipsImage *image, void **bytes, size_t *length, ...);
int vips_webpsave_buffer(VipsImage *image, void **bytes, size_t *length, ...);
int vips_jpegsave_buffer(VipsImage *image, void **bytes, size_t *length, ...);
VipsArrayDouble *vips_array_double_newv(int count, ...);
void vips_area_unref(VipsArea *area);
GType g_type_from_name(const char *name);
void(g_object_unref)(void *object);
void(g_free)(void *bytes);
unsigned g_log_set_handler(
    const char *domain, GLogLevelFlags levels, GLogFunc handler, void *data);

/// Our names of them.
#define IH_FUNCTIONS(X) \
  X(init, vips_init) \
  X(cache_operations, vips_cache_set_max) \
  X(cache_bytes, vips_cache_set_max_mem) \
  X(cache_files, vips_cache_set_max_files) \
  X(use_threads, vips_concurrency_set) \
  X(end_thread, vips_thread_shutdown) \
  X(last_words, vips_error_buffer) \
  X(forget_words, vips_error_clear) \
  X(loader_type, vips_foreign_find_load_buffer) \
  X(nickname, vips_nickname_find) \
  X(open, vips_image_new_from_buffer) \
  X(width, vips_image_get_width) \
  X(height, vips_image_get_height) \
  X(bands, vips_image_get_bands) \
  X(band_format, vips_image_get_format) \
  X(band_bytes, vips_format_sizeof) \
  X(orientation, vips_image_get_orientation) \
  X(thumbnail, vips_thumbnail_buffer) \
  X(copy, vips_copy) \
  X(remove_field, vips_image_remove) \
  X(save_png, vips_pngsave_buffer) \
  X(save_webp, vips_webpsave_buffer) \
  X(save_jpeg, vips_jpegsave_buffer) \
  X(numbers, vips_array_double_newv) \
  X(drop_area, vips_area_unref) \
  X(type_named, g_type_from_name) \
  X(drop, g_object_unref) \
  X(drop_bytes, g_free) \
  X(on_log, g_log_set_handler)

/// The library's functions.
typedef struct ih_library {
#define IH_FIELD(name, symbol) __typeof__(symbol) *name;
  IH_FUNCTIONS(IH_FIELD)
#undef IH_FIELD
} ih_library;

/// Makes the library ready; NULL, or why it cannot be.
const char *ih_start(void);

/// The library, once `ih_start` has been called.
extern ih_library ih_vips;

#endif
