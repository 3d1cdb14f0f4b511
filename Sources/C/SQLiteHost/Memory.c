#include "SQLiteHost.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

// Small blocks that were given back wait for the next of their size. SQLite has the same for each
// connection, its lookaside, which Debian builds it without: a statement that is prepared and run
// once takes some twenty blocks. They stay counted while they wait.

#ifndef __has_feature
#define __has_feature(name) 0
#endif

// The address sanitizer is to see each use of a block that was given back.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define KEEPS_BLOCKS false
#else
#define KEEPS_BLOCKS true
#endif

enum { STEP = 32, LARGEST = 1024, KINDS = LARGEST / STEP + 1, KEPT_BYTES = 8 << 10 };

/// What a thread keeps of each size, each block with the next one's address where its content was.
struct kept {
  void *first[KINDS];
  int count[KINDS];
  bool is_known, is_over;
};

static _Thread_local struct kept kept;
static pthread_key_t at_end;
static pthread_once_t at_end_made = PTHREAD_ONCE_INIT;

static int kind(int bytes) { return bytes <= LARGEST ? (bytes + STEP - 1) / STEP : KINDS; }

static void release(void *block) {
  count(-size(block));
  free((int64_t *)block - 1);
}

/// A thread that ends gives back what it kept.
static void let_go(void *pointer) {
  struct kept *mine = pointer;
  mine->is_over = true;
  for (int i = 0; i < KINDS; i++) {
    while (mine->first[i]) {
      void *block = mine->first[i];
      mine->first[i] = *(void **)block;
      release(block);
    }
  }
}

static void make_at_end(void) {
  if (pthread_key_create(&at_end, let_go) != 0) kept.is_over = true;
}

/// Whether the thread's blocks are let go when it ends; else it keeps none.
static bool keeps(void) {
  if (kept.is_known) return !kept.is_over;
  kept.is_known = true;
  kept.is_over = !KEEPS_BLOCKS || pthread_once(&at_end_made, make_at_end) != 0 ||
                 pthread_setspecific(at_end, &kept) != 0;
  return !kept.is_over;
}

static void *reallocated(void *block, int64_t bytes) {
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

static void *taken(int bytes) {
  int wanted = kind(bytes);
  if (wanted == KINDS) return reallocated(NULL, bytes);
  void *block = kept.first[wanted];
  if (!block) return reallocated(NULL, (int64_t)wanted * STEP);
  kept.first[wanted] = *(void **)block;
  kept.count[wanted]--;
  return block;
}

static void give_back(void *block) {
  if (!block) return;
  int own = kind((int)size(block));
  if (own == 0 || own == KINDS || kept.count[own] >= KEPT_BYTES / (own * STEP) || !keeps()) {
    release(block);
    return;
  }
  *(void **)block = kept.first[own];
  kept.first[own] = block;
  kept.count[own]++;
}

static void *resized(void *block, int bytes) {
  if (!block) return taken(bytes);
  int64_t before = size(block);
  int wanted = kind(bytes);
  if (before > LARGEST && wanted == KINDS) return reallocated(block, bytes);
  if (wanted < KINDS && before == (int64_t)wanted * STEP) return block;
  void *other = taken(bytes);
  if (!other) return NULL;
  memcpy(other, block, (size_t)(before < bytes ? before : bytes));
  give_back(block);
  return other;
}

static int asked_size(void *block) { return block ? (int)size(block) : 0; }

static int rounded(int bytes) {
  int own = kind(bytes);
  return own < KINDS ? own * STEP : (bytes + 7) & ~7;
}

static int start(void *unused) {
  (void)unused;
  return SQLITE_OK;
}

static void end(void *unused) { (void)unused; }

/// What a savepoint may keep in memory of the pages that change in it. Beyond that SQLite keeps it
/// in a file, which it does not leave again in an exclusive connection: each page of each object
/// that a script makes would be written there, with two calls. "Statement journals are held in
/// memory until their size (in bytes) exceeds this threshold" (SQLite, C API,
/// SQLITE_CONFIG_STMTJRNL_SPILL), which is 64 KiB unless it is set.
///
/// More than this must not be asked for: the journal goes to the file in one write, and SQLite
/// writes at most 0x1ffff bytes at once ("nBuf &= 0x1ffff", os_unix.c, seekAndWriteFd). Of a longer
/// write it leaves out a multiple of 128 KiB and reports SQLITE_FULL.
static const int SAVEPOINT_BYTES = 0x1ffff;

bool sq_take_memory(void) {
  static const sqlite3_mem_methods methods = {
      taken, give_back, resized, asked_size, rounded, start, end, NULL,
  };
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK &&
         sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK &&
         sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, SAVEPOINT_BYTES) == SQLITE_OK;
}

void sq_limit_memory(int64_t bytes) { atomic_store_explicit(&most, bytes, memory_order_relaxed); }
