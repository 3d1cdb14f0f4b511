// The trees: pages, cells and their order, as SQLite's own check looks at them (btree.c,
// checkTreePage), and which page belongs to what.

#include "Host.h"

#include <stdlib.h>
#include <string.h>

bool ended(struct state *state, enum ph_finding finding) {
  state->finding = finding;
  return false;
}

bool doubt(struct state *state) { return ended(state, PH_DOUBTFUL); }

bool read_page(struct state *state, uint32_t number, unsigned char *into) {
  // Another thread has found that it is over.
  if (__atomic_load_n(&state->file->is_over, __ATOMIC_RELAXED)) return ended(state, PH_UNREAD);
  return state->read(state->context, number, into) || ended(state, PH_UNREAD);
}

uint32_t long_varint(const unsigned char *bytes, const unsigned char *end, uint64_t *value) {
  uint64_t found = 0;
  for (uint32_t length = 1; length <= 9 && bytes < end; length++, bytes++) {
    if (length == 9) {
      *value = found << 8 | *bytes;
      return 9;
    }
    found = found << 7 | (*bytes & 0x7f);
    if (*bytes < 0x80) {
      *value = found;
      return length;
    }
  }
  return 0;
}

/// The header: "a one-byte flag indicating the b-tree page type", the first freeblock, the number
/// of cells, the start of the cell content area, the fragmented free bytes (1.6, B-tree Pages).
static bool open_page(struct state *state, struct page *page) {
  const unsigned char *header = page->bytes + page->header;
  uint8_t leaf = state->tree->is_table ? 0x0d : 0x0a;
  uint8_t interior = state->tree->is_table ? 0x05 : 0x02;
  if (header[0] != leaf && header[0] != interior) return doubt(state);
  page->is_leaf = header[0] == leaf;
  page->count = big16(header + 3);
  page->content = big16(header + 5);
  // "A zero value for this integer is interpreted as 65536."
  if (page->content == 0) page->content = 65536;
  page->cells = page->header + (page->is_leaf ? 8 : 12);
  bool is_empty = page->count == 0 && page->depth > 0;
  return (!is_empty && page->cells + 2 * page->count <= page->content &&
          page->content <= state->usable) || doubt(state);
}

/// How much of a payload is on its page (1.6, B-tree Cell Format).
WITHIN uint32_t local(const struct state *state, uint64_t payload, bool is_table) {
  uint32_t usable = state->usable;
  uint32_t most = is_table ? usable - 35 : (usable - 12) * 64 / 255 - 23;
  if (payload <= most) return (uint32_t)payload;
  uint32_t least = (usable - 12) * 32 / 255 - 23;
  uint32_t part = least + (uint32_t)((payload - least) % (usable - 4));
  return part <= most ? part : least;
}

WITHIN bool open_cell(
    struct state *state, const struct page *page, uint32_t index, struct cell *cell) {
  const unsigned char *bytes = page->bytes, *end = bytes + state->usable;
  uint32_t start = big16(bytes + page->cells + 2 * index), at = start;
  if (start < page->content || start > state->usable - 4) return doubt(state);
  cell->start = start;
  cell->payload = cell->local = cell->child = 0;
  if (!page->is_leaf) {
    cell->child = big32(bytes + at);
    at += 4;
  }
  bool is_table = state->tree->is_table, has_payload = page->is_leaf || !is_table;
  uint32_t length;
  if (has_payload) {
    if (!(length = varint(bytes + at, end, &cell->payload))) return doubt(state);
    at += length;
  }
  if (is_table) {
    uint64_t rowid;
    if (!(length = varint(bytes + at, end, &rowid))) return doubt(state);
    cell->rowid = (int64_t)rowid;
    at += length;
  }
  cell->at = at;
  if (has_payload) {
    if (cell->payload > INT32_MAX) return doubt(state);
    cell->local = local(state, cell->payload, is_table);
    at += cell->local + (cell->local < cell->payload ? 4 : 0);
  }
  cell->size = at - start < 4 ? 4 : at - start;
  return start + cell->size <= state->usable || doubt(state);
}

/// Notes that bytes of a page are used; false where one of them is used already.
WITHIN bool cover(struct state *state, uint32_t start, uint32_t size) {
  uint64_t *word = state->cover + start / 64;
  uint32_t bit = start % 64;
  while (size > 0) {
    uint32_t count = 64 - bit < size ? 64 - bit : size;
    uint64_t mask = (count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << bit;
    if (*word & mask) return doubt(state);
    *word++ |= mask;
    size -= count;
    bit = 0;
  }
  return true;
}

/// "The total number of bytes in all fragments is stored in the fifth field of the b-tree page
/// header": what neither a cell nor a freeblock has.
static bool check_cover(struct state *state, const struct page *page, uint32_t covered) {
  const unsigned char *bytes = page->bytes;
  uint32_t block = big16(bytes + page->header + 1);
  if (block != 0 && block < page->content) return doubt(state);
  while (block != 0) {
    if (block > state->usable - 4) return doubt(state);
    uint32_t next = big16(bytes + block), size = big16(bytes + block + 2);
    if (size < 4 || block + size > state->usable) return doubt(state);
    if (next != 0 && next <= block + size + 3) return doubt(state);
    if (!cover(state, block, size)) return false;
    covered += size;
    block = next;
  }
  uint32_t fragments = state->usable - page->content - covered;
  return fragments == bytes[page->header + 7] || doubt(state);
}

/// "Rowids ... in order": those below a cell's left child are at most its key.
WITHIN bool take_rowid(struct state *state, int64_t rowid, bool may_be_same) {
  if (state->has_rowid && (may_be_same ? rowid < state->rowid : rowid <= state->rowid))
    return doubt(state);
  state->has_rowid = true;
  state->rowid = rowid;
  return true;
}

WITHIN bool take_cell(struct state *state, const struct page *page, const struct cell *cell) {
  if (state->tree->is_table) {
    if (!take_rowid(state, cell->rowid, false)) return false;
    state->tree->count++;
    return take_row(state, page, cell);
  }
  state->tree->count++;
  return take_entry(state, page, cell);
}

static bool walk_leaf(struct state *state, const struct page *page) {
  if (state->leaf_depth < 0) state->leaf_depth = page->depth;
  if (state->leaf_depth != page->depth) return doubt(state);
  uint32_t covered = 0;
  for (uint32_t index = 0; index < page->count; index++) {
    struct cell cell;
    if (!open_cell(state, page, index, &cell)) return false;
    if (!cover(state, cell.start, cell.size)) return false;
    covered += cell.size;
    if (!take_cell(state, page, &cell)) return false;
  }
  return check_cover(state, page, covered);
}

static bool walk_page(struct state *state, uint32_t number, int depth);

static bool walk_child(struct state *state, const struct page *page, uint32_t child) {
  return is_mapped(state, child, MAP_CHILD, page->number) &&
         walk_page(state, child, page->depth + 1);
}

static bool walk_interior(struct state *state, const struct page *page) {
  struct cell cell;
  uint32_t covered = 0;
  // All cells first: the pages below need the memory for what is covered.
  for (uint32_t index = 0; index < page->count; index++) {
    if (!open_cell(state, page, index, &cell)) return false;
    if (!cover(state, cell.start, cell.size)) return false;
    covered += cell.size;
  }
  if (!check_cover(state, page, covered)) return false;
  for (uint32_t index = 0; index < page->count; index++) {
    if (!open_cell(state, page, index, &cell)) return false;
    if (!walk_child(state, page, cell.child)) return false;
    if (state->tree->is_table) {
      if (!take_rowid(state, cell.rowid, true)) return false;
    } else if (!take_cell(state, page, &cell)) {
      return false;
    }
  }
  return walk_child(state, page, big32(page->bytes + page->header + 8));
}

static bool walk_page(struct state *state, uint32_t number, int depth) {
  if (depth >= PAGE_DEPTH) return doubt(state);
  if (!claim(state, number, state->owner) || !keep_entry(state, depth)) return false;
  unsigned char *bytes = state->pages + (size_t)depth * state->file->page_size;
  if (!read_page(state, number, bytes)) return false;
  struct page page = {.number = number, .depth = depth, .bytes = bytes};
  page.header = number == 1 ? 100 : 0;
  if (!open_page(state, &page)) return false;
  memset(state->cover, 0, state->cover_bytes);
  return page.is_leaf ? walk_leaf(state, &page) : walk_interior(state, &page);
}

/// Notes what was found in a tree; what its table's rows call for is noted by who reads those.
static void note(struct ph_tree *tree, const struct ph_tree *found) {
  tree->map_sum = found->map_sum;
  tree->pages = found->pages;
  tree->count = found->count;
  tree->is_read = found->is_read;
  tree->is_ordered = found->is_ordered;
  tree->sum = found->sum;
  tree->number_count = found->number_count;
  tree->uncounted = found->uncounted;
}

static bool walk_tree(struct state *state, uint32_t place) {
  struct ph_tree *tree = &state->file->trees[place];
  // Counted apart from what other threads count: one line of the processors' caches that two
  // of them write costs more than a second thread saves.
  struct ph_tree own = *tree;
  state->tree = &own;
  state->place = place;
  state->owner = (uint16_t)(place + 1);
  state->leaf_depth = -1;
  state->has_rowid = false;
  if (own.root > 1 && !is_mapped(state, own.root, MAP_ROOT, 0)) return false;
  begin_records(state);
  bool is_sound = walk_page(state, own.root, 0);
  end_records(state);
  note(tree, &own);
  state->tree = NULL;
  return is_sound;
}

/// "In an auto-vacuum database ... the largest root b-tree page" is in the header, at 52 (1.3).
static bool check_roots(struct state *state, const unsigned char *first) {
  uint32_t largest = 0;
  for (uint32_t place = 0; place < state->file->tree_count; place++) {
    uint32_t root = state->file->trees[place].root;
    if (root > largest) largest = root;
  }
  return largest == big32(first + 52) || doubt(state);
}

static bool walk_trees(struct state *state) {
  struct ph_file *file = state->file;
  for (;;) {
    uint32_t place = __atomic_fetch_add(&file->next_tree, 1, __ATOMIC_RELAXED);
    if (place >= file->tree_count) return true;
    if (!file->trees[place].is_known && !walk_tree(state, place)) return false;
  }
}

/// Whether the header knows no other length: "the in-header database size is only considered to be
/// valid if it is non-zero and if the 4-byte change counter at offset 24 exactly matches the 4-byte
/// version-valid-for number at offset 92" (1.3.8).
static bool is_length(const unsigned char *first, uint32_t page_count) {
  uint32_t length = big32(first + 28);
  return length == 0 || big32(first + 24) != big32(first + 92) || length == page_count;
}

/// Reads of the first page what the others are read by.
static bool open_file(struct state *state) {
  struct ph_file *file = state->file;
  unsigned char *first = state->spare;
  if (!read_page(state, 1, first)) return false;
  // "The reserved space" at the end of each page, at 20 (1.3).
  state->usable = file->page_size - first[20];
  if (state->usable < 480 || !is_length(first, file->page_count)) return doubt(state);
  state->has_map = !file->is_partial && big32(first + 52) != 0;
  return true;
}

static bool begin(struct state *state) {
  const unsigned char *first = state->spare;
  if (state->file->is_partial) return true;
  if (!state->has_map && big32(first + 64) != 0) return doubt(state);
  if (state->has_map && !check_roots(state, first)) return false;
  return claim_others(state, first) && is_still_mapped(state);
}

/// Lists the indexes of each table whose entries are compared with its rows.
static void list_indexes(struct state *state) {
  if (!state->file->expected) return;
  for (uint32_t place = state->file->tree_count; place-- > 0;) {
    const struct ph_tree *tree = &state->file->trees[place];
    if (tree->is_table || tree->table < 0 || (uint32_t)tree->table >= state->file->tree_count)
      continue;
    state->next[place] = state->first[tree->table];
    state->first[tree->table] = place + 1;
  }
}

static bool allocate(struct state *state) {
  struct ph_file *file = state->file;
  size_t size = file->page_size, trees = (size_t)file->tree_count + 1;
  uint32_t fields = 1;
  for (uint32_t place = 0; place < file->tree_count; place++) {
    if (file->trees[place].field_count > fields) fields = file->trees[place].field_count;
  }
  state->cover_bytes = size / 8 + 8;
  state->pages = malloc(size * PAGE_DEPTH + SLACK);
  state->spare = malloc(size);
  state->map = malloc(size * MAP_PAGES);
  state->cover = malloc(state->cover_bytes);
  state->first = calloc(trees, sizeof *state->first);
  state->next = calloc(trees, sizeof *state->next);
  state->types = calloc(fields, sizeof *state->types);
  state->starts = calloc(fields, sizeof *state->starts);
  state->sums = calloc(trees, sizeof *state->sums);
  return state->pages && state->spare && state->map && state->cover && state->first &&
         state->next && state->types && state->starts && state->sums;
}

static void release(struct state *state) {
  free(state->pages);
  free(state->spare);
  free(state->map);
  free(state->cover);
  free(state->first);
  free(state->next);
  free(state->types);
  free(state->starts);
  free(state->sums);
  free(state->row);
  for (int place = 0; place < 2; place++) free(state->entries[place].own);
}

void ph_stop(struct ph_file *file) { __atomic_store_n(&file->is_over, true, __ATOMIC_RELAXED); }

/// Does a part of a walk with memory of its own.
static enum ph_finding with_state(
    struct ph_file *file, ph_read read, void *context, bool (*part)(struct state *)) {
  struct state state = {.file = file, .read = read, .context = context, .finding = PH_SOUND};
  if (!allocate(&state)) {
    state.finding = PH_NO_MEMORY;
  } else {
    list_indexes(&state);
    if (open_file(&state)) part(&state);
  }
  release(&state);
  if (state.finding != PH_SOUND) ph_stop(file);
  return state.finding;
}

enum ph_finding ph_begin(struct ph_file *file, ph_read read, void *context) {
  if (file->tree_count >= PH_TREES || file->page_count == 0 || file->page_size < 512 ||
      file->page_size > 65536)
    return PH_DOUBTFUL;
  file->next_tree = 0;
  file->is_over = false;
  return with_state(file, read, context, begin);
}

enum ph_finding ph_walk(struct ph_file *file, ph_read read, void *context) {
  return with_state(file, read, context, walk_trees);
}

enum ph_finding ph_end(const struct ph_file *file) {
  if (file->is_over) return PH_UNREAD;
  for (uint32_t page = 1; page <= file->page_count && !file->is_partial; page++) {
    if (file->owners[page] == PH_NO_OWNER) return PH_DOUBTFUL;
  }
  return PH_SOUND;
}
