#include "SQLiteHost.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>

/// A part of the account, on a cache line of its own: threads count in different ones.
struct share {
  _Alignas(64) _Atomic int64_t bytes;
};

enum { SHARES = 16, MIB = 1 << 20 };

static struct share shares[SHARES];
static _Atomic int64_t most = INT64_MAX;
static _Atomic unsigned threads;
static _Thread_local struct share *own;

static struct share *own_share(void) {
  if (!own) own = &shares[atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % SHARES];
  return own;
}

static void count(int64_t bytes) {
  atomic_fetch_add_explicit(&own_share()->bytes, bytes, memory_order_relaxed);
}

static bool is_within(int64_t more) {
  int64_t all = more;
  for (int i = 0; i < SHARES; i++)
    all += atomic_load_explicit(&shares[i].bytes, memory_order_relaxed);
  return all <= atomic_load_explicit(&most, memory_order_relaxed);
}

/// Counts a large block, unless it is too much. What is refused is never counted: it would have
/// other threads refused what there is room for.
static bool has_room_for_large(int64_t bytes) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one_at_a_time);
  bool is_free = is_within(bytes);
  if (is_free) count(bytes);
  pthread_mutex_unlock(&one_at_a_time);
  return is_free;
}

/// Counts what is to be taken, unless it is too much. Small blocks are compared with the limit when
/// a share has grown by a MiB. What another thread gives back can leave a share below zero.
static bool has_room(int64_t bytes) {
  if (bytes >= MIB) return has_room_for_large(bytes);
  int64_t before = atomic_fetch_add_explicit(&own_share()->bytes, bytes, memory_order_relaxed);
  if (bytes <= 0 || before / MIB == (before + bytes) / MIB || is_within(0)) return true;
  count(-bytes);
  return false;
}

// Each block begins with its size: "The xSize method should return the allocated size of a memory
// allocation previously obtained from xMalloc or xRealloc" (SQLite, C API, sqlite3_mem_methods).
// The eight bytes leave the rest "aligned to at least an 8-byte boundary" (sqlite3_malloc).

static int64_t size(void *block) { return ((int64_t *)block)[-1]; }

static void *resized(void *block, int bytes) {
  int64_t more = bytes - (block ? size(block) : 0);
  if (!has_room(more)) return NULL;
  int64_t *start = block ? (int64_t *)block - 1 : NULL;
  start = realloc(start, sizeof *start + (size_t)bytes);
  if (!start) {
    count(-more);
    return NULL;
  }
  *start = bytes;
  return start + 1;
}

static void *taken(int bytes) { return resized(NULL, bytes); }

static void give_back(void *block) {
  if (!block) return;
  count(-size(block));
  free((int64_t *)block - 1);
}

static int asked_size(void *block) { return block ? (int)size(block) : 0; }

static int rounded(int bytes) { return (bytes + 7) & ~7; }

static int start(void *unused) {
  (void)unused;
  return SQLITE_OK;
}

static void end(void *unused) { (void)unused; }

bool sq_take_memory(void) {
  static const sqlite3_mem_methods methods = {
      taken, give_back, resized, asked_size, rounded, start, end, NULL,
  };
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK &&
         sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK;
}

void sq_limit_memory(int64_t bytes) { atomic_store_explicit(&most, bytes, memory_order_relaxed); }
