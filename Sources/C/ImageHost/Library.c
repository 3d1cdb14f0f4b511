#include "ImageHost.h"

#ifdef IMAGES

#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "platform.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
ih_library ih_vips;
static char failure[256] = "";

static void ignore(const char *domain, GLogLevelFlags level, const char *text, void *data) {
  (void)domain, (void)level, (void)text, (void)data;
}

static void *open_library(void) {
  const char *const files[] = LIBVIPS_FILES;
  void *handle = NULL;
  for (size_t i = 0; handle == NULL && i < sizeof files / sizeof *files; i++)
    handle = dlopen(files[i], RTLD_NOW);
  if (handle == NULL)
    snprintf(failure, sizeof failure, "libvips is not installed: %s", dlerror());
  return handle;
}

/// Finds a function; "the value of the symbol could be NULL", which none of these is (dlsym(3)).
static int find(void *handle, const char *symbol, void *field) {
  void *found = dlsym(handle, symbol);
  // POSIX has dlsym give functions as `void *`; C knows no cast for that.
  memcpy(field, &found, sizeof found);
  if (found == NULL) snprintf(failure, sizeof failure, "libvips has no function %s", symbol);
  return found != NULL;
}

static void load(void) {
  void *handle = open_library();
  if (handle == NULL) return;
#define IH_FIND(name, symbol) \
  if (!find(handle, #symbol, &ih_vips.name)) return;
  IH_FUNCTIONS(IH_FIND)
#undef IH_FIND
  if (ih_vips.init("pipeline") != 0) {
    snprintf(failure, sizeof failure, "libvips does not start");
    return;
  }
  ih_vips.on_log("VIPS", IH_ALL_LEVELS, ignore, NULL);
  ih_vips.cache_operations(0);
  ih_vips.cache_bytes(0);
  ih_vips.cache_files(0);
  ih_vips.use_threads(1);
}

const char *ih_start(void) {
  pthread_once(&once, load);
  return failure[0] == 0 ? NULL : failure;
}

#endif
