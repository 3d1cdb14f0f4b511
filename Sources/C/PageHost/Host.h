#ifndef PAGE_HOST_H
#define PAGE_HOST_H

#include "include/PageHost.h"

// What the parts of a walk share. Names and numbers are those of SQLite's Database File Format.

enum {
  /// "The maximum depth of a b-tree" of 2^31 pages is far below (btree.c, BTCURSOR_MAX_DEPTH).
  PAGE_DEPTH = 20,
  /// How many pages of the pointer map are kept in memory.
  MAP_PAGES = 32,
  /// The longest record that is put together from its pages; a longer one is not read.
  LONGEST_RECORD = 1 << 20,
  /// How far behind a number its memory may be read: whatever its length, eight bytes are.
  SLACK = 8,
};

/// The kinds of entries in the pointer map (Database File Format, 1.8).
enum map_kind { MAP_ROOT = 1, MAP_FREE = 2, MAP_FIRST = 3, MAP_NEXT = 4, MAP_CHILD = 5 };

/// The storage classes in the order in which values are sorted, numbers among each other; their
/// bits are those of PageHost.h.
enum class { NONE, INTEGER, REAL, TEXT, BLOB };

/// A value of an entry; a real number that is whole counts as an integer.
struct value {
  enum class class;
  uint32_t start, length;
  union {
    int64_t integer;
    double real;
  } number;
};

/// An entry of an index, its rowid among the values.
struct entry {
  const unsigned char *bytes;
  /// The depth of the page that has the bytes; -1 when they are in memory of their own.
  int depth;
  bool has_bytes, has_null;
  struct value values[PH_KEYS + 1];
  unsigned char *own;
  size_t size;
};

/// A cell, as far as it is on its page.
struct cell {
  uint32_t start, size;
  int64_t rowid;
  uint64_t payload;
  /// Where the payload begins, and how much of it is here.
  uint32_t at, local;
  uint32_t child;
};

/// A page of a b-tree.
struct page {
  uint32_t number;
  int depth;
  const unsigned char *bytes;
  uint32_t header, cells, count, content;
  bool is_leaf;
};

/// The state of one thread.
struct state {
  struct ph_file *file;
  ph_read read;
  void *context;
  uint32_t usable;
  bool has_map;
  enum ph_finding finding;

  unsigned char *pages, *spare, *map;
  uint32_t map_pages[MAP_PAGES];
  uint64_t *cover;
  size_t cover_bytes;

  /// The tree that is read, with what is found in it so far, and its place in the list.
  struct ph_tree *tree;
  uint32_t place;
  uint16_t owner;
  int leaf_depth;
  bool has_rowid;
  int64_t rowid;
  struct entry entries[2];
  int current;

  /// The indexes of each table, as a list of places, plus one.
  uint32_t *first, *next;
  struct ph_sum *sums;
  uint32_t *types, *starts;
  uint32_t wanted;
  unsigned char *row;
  size_t row_size;
};

static inline uint32_t big16(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 8 | bytes[1];
}

static inline uint32_t big32(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// What is called for each cell, row and value becomes a part of its caller.
#define WITHIN static inline __attribute__((always_inline))

/// "A variable-length integer": gives back its length, or 0 where it does not end before `end`.
uint32_t long_varint(const unsigned char *bytes, const unsigned char *end, uint64_t *value);

WITHIN uint32_t varint(const unsigned char *bytes, const unsigned char *end, uint64_t *value) {
  if (bytes < end && bytes[0] < 0x80) {
    *value = bytes[0];
    return 1;
  }
  // Keys of some hundred thousand objects take three bytes at most.
  if (end - bytes >= 3 && bytes[1] < 0x80) {
    *value = (uint64_t)(bytes[0] & 0x7f) << 7 | bytes[1];
    return 2;
  }
  if (end - bytes >= 3 && bytes[2] < 0x80) {
    *value = (uint64_t)(bytes[0] & 0x7f) << 14 | (uint64_t)(bytes[1] & 0x7f) << 7 | bytes[2];
    return 3;
  }
  return long_varint(bytes, end, value);
}

/// Notes why the walk ends; gives back false.
bool ended(struct state *state, enum ph_finding finding);
/// The same for what is not as it is known.
bool doubt(struct state *state);

/// Reads a page into memory.
bool read_page(struct state *state, uint32_t number, unsigned char *into);
/// Notes that a page is used by `owner`, and by no other.
bool claim(struct state *state, uint32_t number, uint16_t owner);
/// Whether the pointer map says of a page what it must.
bool is_mapped(struct state *state, uint32_t number, enum map_kind kind, uint32_t parent);
/// The same of all pages of known trees, whose entries were right when their trees were read.
bool is_still_mapped(struct state *state);
/// Notes the pages that have no owner but the file, and those that are free.
bool claim_others(struct state *state, const unsigned char *first);
/// Follows the pages of a long value; copies up to `count` bytes of them.
bool follow(
    struct state *state, const struct page *page, const struct cell *cell, unsigned char *into,
    size_t count);

/// Prepares for the records of a tree.
void begin_records(struct state *state);
/// Notes what the rows of a table call for in its indexes.
void end_records(struct state *state);
/// Reads a row of a table, or an entry of an index; the pages of its rest are noted.
bool take_row(struct state *state, const struct page *page, const struct cell *cell);
bool take_entry(struct state *state, const struct page *page, const struct cell *cell);
/// Keeps what the next entry is compared with before a page in memory is another one.
bool keep_entry(struct state *state, int depth);

#endif
