#include "platform.h"

#include <sys/mman.h>

#include "SystemHost.h"

int64_t sh_peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * MEMORY_UNIT : 0;
}

const char *sh_host_name(void) {
  // "Host names (not including the terminating NUL) are limited to {HOST_NAME_MAX} bytes", and when
  // a name is cut "it is unspecified whether the returned name is null-terminated" (POSIX).
  static _Thread_local char name[257];
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

void sh_limit_heaps(int count) { limit_heaps(count); }

bool sh_can_open(int count) {
  int opened[64];
  int found = 0;
  if (count > (int)(sizeof opened / sizeof *opened)) count = sizeof opened / sizeof *opened;
  while (found < count && (opened[found] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) found++;
  for (int i = 0; i < found; i++) close(opened[i]);
  return found == count;
}

bool sh_can_map(size_t count) {
  void *start = mmap(NULL, count, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
  return start != MAP_FAILED && munmap(start, count) == 0;
}

const char *sh_settings_folder(void) { return SETTINGS_FOLDER; }
