/// Counts the steps of a program that it is loaded before, and leaves the number in the file
/// $STEPS.
///
/// A step is whatever work in Swift or SQLite comes down to: keeping or giving back an object,
/// making one, taking memory, which SQLite does when it compiles a statement, comparing bytes, an
/// instruction of SQLite's machine. Not each instruction is one, but where something is looked for
/// among n others, steps grow with n. Time grows as well, and with whatever else the machine does;
/// instructions only valgrind could count, which takes fifty times as long.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long steps;

static void count(unsigned long long number) {
  __atomic_fetch_add(&steps, number, __ATOMIC_RELAXED);
}

// The function that the program would call without this library.
#define NEXT(name)                                                       \
  ({                                                                     \
    static __typeof__(&name) next;                                       \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);        \
    next;                                                                \
  })

#define COUNTED(result, name, parameters, arguments) \
  result name parameters;                            \
  result name parameters {                           \
    count(1);                                        \
    return NEXT(name) arguments;                     \
  }

COUNTED(void *, swift_retain, (void *object), (object))
COUNTED(void *, swift_bridgeObjectRetain, (void *object), (object))
COUNTED(void, swift_release, (void *object), (object))
COUNTED(void, swift_bridgeObjectRelease, (void *object), (object))
COUNTED(void *, swift_allocObject, (void *type, size_t size, size_t mask), (type, size, mask))

// Not the next ones: finding these takes memory.
void *__libc_malloc(size_t size);
void *__libc_realloc(void *memory, size_t size);
void *malloc(size_t size) {
  count(1);
  return __libc_malloc(size);
}
void *realloc(void *memory, size_t size) {
  count(1);
  return __libc_realloc(memory, size);
}

// Not the next one: finding that may compare bytes.
int memcmp(const void *one, const void *two, size_t size) {
  count(1);
  const unsigned char *a = one, *b = two;
  for (size_t i = 0; i < size; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

// SQLITE_STMTSTATUS_VM_STEP: "the number of virtual machine operations executed".
static const int vm_step = 4;
int sqlite3_stmt_status(void *statement, int counter, int resets);
int sqlite3_step(void *statement);
int sqlite3_step(void *statement) {
  int result = NEXT(sqlite3_step)(statement);
  count((unsigned long long)NEXT(sqlite3_stmt_status)(statement, vm_step, 1));
  return result;
}

__attribute__((destructor)) static void leave(void) {
  const char *path = getenv("STEPS");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%llu\n", steps);
  fclose(file);
}
