#ifndef LUA_HOST_POOL_H
#define LUA_HOST_POOL_H

// The memory of small blocks.
//
// A script makes and drops a few short texts and tables for each row. A block that is freed is the
// next one of its size here, without the search that malloc makes. There is no more of it than
// LH_POOL: a script that drops blocks of one size and then asks for those of another cannot hold
// many times what its limit allows. What does not fit comes from malloc.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LH_POOL = 1 << 20, LH_POOL_STEP = 16, LH_POOL_SIZES = 16 };

typedef struct lh_pool {
  char *start;
  size_t taken;
  void *freed[LH_POOL_SIZES];
} lh_pool;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
/// Sanitizers watch the blocks of malloc.
#define LH_HAS_NO_POOL
#endif
#endif

static inline void lh_open_pool(lh_pool *pool) {
#ifndef LH_HAS_NO_POOL
  pool->start = malloc(LH_POOL);
#endif
  if (pool->start == NULL) pool->taken = LH_POOL;
}

static inline void lh_close_pool(lh_pool *pool) { free(pool->start); }

static inline size_t lh_pool_class(size_t size) { return (size - 1) / LH_POOL_STEP; }

static inline int lh_is_pooled(const lh_pool *pool, const void *block) {
  return (uintptr_t)block - (uintptr_t)pool->start < LH_POOL && pool->start != NULL;
}

static inline void *lh_take(lh_pool *pool, size_t size) {
  size_t class = lh_pool_class(size), bytes = (class + 1) * LH_POOL_STEP;
  if (class >= LH_POOL_SIZES) return malloc(size);
  void *block = pool->freed[class];
  if (block != NULL) {
    memcpy(&pool->freed[class], block, sizeof block);
    return block;
  }
  if (LH_POOL - pool->taken < bytes) return malloc(size);
  block = pool->start + pool->taken;
  pool->taken += bytes;
  return block;
}

/// `size` is what the block was asked for with, last.
static inline void lh_give_back(lh_pool *pool, void *block, size_t size) {
  if (!lh_is_pooled(pool, block)) return free(block);
  void **freed = &pool->freed[lh_pool_class(size)];
  memcpy(block, freed, sizeof *freed);
  *freed = block;
}

/// The block with another size and the same content; NULL where there is no memory, and the old
/// block stays. "Lua assumes that the allocator cannot fail when osize >= nsize" (lua_Alloc).
static inline void *lh_resize(lh_pool *pool, void *block, size_t old_size, size_t new_size) {
  if (block == NULL) return lh_take(pool, new_size);
  if (!lh_is_pooled(pool, block)) return realloc(block, new_size);
  if (lh_pool_class(old_size) == lh_pool_class(new_size)) return block;
  void *resized = lh_take(pool, new_size);
  // A block that is larger than it has to be is one of the smaller size from now on.
  if (resized == NULL) return old_size > new_size ? block : NULL;
  memcpy(resized, block, old_size < new_size ? old_size : new_size);
  lh_give_back(pool, block, old_size);
  return resized;
}

#endif
