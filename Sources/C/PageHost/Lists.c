// What is no tree: the free pages, the pointer map, the pages of long values.

#include "Hash.h"
#include "Host.h"

#include <string.h>

bool claim(struct state *state, uint32_t number, uint16_t owner) {
  struct ph_file *file = state->file;
  if (number < 1 || number > file->page_count) return doubt(state);
  uint16_t none = PH_NO_OWNER;
  // Two threads may meet here: of a page that two trees have, one of them must notice.
  if (!__atomic_compare_exchange_n(
          &file->owners[number], &none, owner, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return doubt(state);
  if (owner < PH_TREES) state->tree->pages++;
  return true;
}

/// "The lock-byte page is the single page that contains the bytes between offsets 1073741824 and
/// 1073742335" (1.4).
static uint32_t lock_page(const struct state *state) {
  return 1073741824 / state->file->page_size + 1;
}

/// The page of the map that a page has its entry in: the map begins with page 2, and each of its
/// pages is of the J = usable / 5 pages that follow it (1.8, Pointer Map Pages).
static uint32_t map_page(const struct state *state, uint32_t number) {
  uint32_t each = state->usable / 5 + 1;
  uint32_t found = (number - 2) / each * each + 2;
  // btree.c, ptrmapPageno: where that would be the lock-byte page, it is the one behind it.
  return found == lock_page(state) ? found + 1 : found;
}

/// The entry of a page in the map; NULL where it cannot have one.
static const unsigned char *map_entry(struct state *state, uint32_t number) {
  bool is_there = number >= 2 && number <= state->file->page_count;
  uint32_t map = is_there ? map_page(state, number) : 0;
  if (number <= map || !is_there) {
    doubt(state);
    return NULL;
  }
  uint32_t place = map % MAP_PAGES;
  unsigned char *bytes = state->map + (size_t)place * state->file->page_size;
  if (state->map_pages[place] != map) {
    state->map_pages[place] = 0;
    if (!read_page(state, map, bytes)) return NULL;
    state->map_pages[place] = map;
  }
  const unsigned char *entry = bytes + 5 * (size_t)(number - map - 1);
  if (entry + 5 <= bytes + state->usable) return entry;
  doubt(state);
  return NULL;
}

/// What the map's entries for a tree's pages are recognised by.
static uint64_t map_hash(const struct state *state, uint32_t number, const unsigned char *entry) {
  struct hash h = hash_begin(state->file->key);
  hash_word(&h, (uint64_t)number << 8 | entry[0]);
  hash_word(&h, big32(entry + 1));
  return hash_end(&h);
}

bool is_mapped(struct state *state, uint32_t number, enum map_kind kind, uint32_t parent) {
  if (!state->has_map) return true;
  const unsigned char *entry = map_entry(state, number);
  if (!entry) return false;
  if (entry[0] != kind || big32(entry + 1) != parent) return doubt(state);
  if (state->tree) state->tree->map_sum += map_hash(state, number, entry);
  return true;
}

bool is_still_mapped(struct state *state) {
  struct ph_file *file = state->file;
  if (!state->has_map) return true;
  for (uint32_t number = 2; number <= file->page_count; number++) {
    uint32_t place = (uint32_t)file->owners[number] - 1;
    if (place >= file->tree_count || !file->trees[place].is_known) continue;
    const unsigned char *entry = map_entry(state, number);
    if (!entry) return false;
    file->trees[place].map_sum -= map_hash(state, number, entry);
  }
  for (uint32_t place = 0; place < file->tree_count; place++) {
    if (file->trees[place].is_known && file->trees[place].map_sum != 0) return doubt(state);
  }
  return true;
}

static bool claim_map(struct state *state) {
  uint32_t each = state->usable / 5 + 1, count = state->file->page_count;
  for (uint64_t start = 2; start <= count; start += each) {
    uint32_t page = map_page(state, (uint32_t)start);
    if (page <= count && !claim(state, page, PH_MAP)) return false;
  }
  return true;
}

static bool claim_free(struct state *state, uint32_t number) {
  return is_mapped(state, number, MAP_FREE, 0) && claim(state, number, PH_FREE);
}

/// The freelist: its "trunk pages" are a list, and each of them has "the page numbers of zero or
/// more freelist leaf pages" (1.5).
static bool claim_free_pages(struct state *state, uint32_t trunk, uint32_t count) {
  uint32_t found = 0;
  while (trunk != 0) {
    if (!claim_free(state, trunk) || !read_page(state, trunk, state->spare)) return false;
    uint32_t leaves = big32(state->spare + 4);
    if (leaves > state->usable / 4 - 2) return doubt(state);
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
      if (!claim_free(state, big32(state->spare + 8 + 4 * leaf))) return false;
    }
    found += 1 + leaves;
    trunk = big32(state->spare);
  }
  return found == count || doubt(state);
}

bool claim_others(struct state *state, const unsigned char *first) {
  uint32_t trunk = big32(first + 32), count = big32(first + 36), lock = lock_page(state);
  if (state->has_map && !claim_map(state)) return false;
  if (lock <= state->file->page_count && !claim(state, lock, PH_LOCK)) return false;
  return claim_free_pages(state, trunk, count);
}

/// "Each overflow page ... the first four bytes are the page number of the next page in the chain"
/// (1.7); the pointer map knows the page before each.
bool follow(
    struct state *state, const struct page *page, const struct cell *cell, unsigned char *into,
    size_t count) {
  uint64_t left = cell->payload - cell->local;
  uint32_t each = state->usable - 4, before = page->number;
  uint32_t number = big32(page->bytes + cell->at + cell->local);
  enum map_kind kind = MAP_FIRST;
  while (left > 0) {
    if (!is_mapped(state, number, kind, before) || !claim(state, number, state->owner) ||
        !read_page(state, number, state->spare))
      return false;
    uint32_t here = left < each ? (uint32_t)left : each;
    size_t copied = count < here ? count : here;
    if (copied > 0) {
      memcpy(into, state->spare + 4, copied);
      into += copied;
      count -= copied;
    }
    left -= here;
    before = number;
    kind = MAP_NEXT;
    number = big32(state->spare);
  }
  return number == 0 || doubt(state);
}
