#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One walk over all pages of an SQLite database: whether they are what the Database File Format
// says, each of them used once, and whether indexes hold what their tables hold.
//
// The walk proves, and judges nothing: what it cannot prove may be sound all the same, and SQLite's
// own check has the last word then. It trusts no byte of the file.

enum {
  /// The place of a row's key among its fields.
  PH_ROWID = 0xffff,
  /// How many columns an index may have for its entries to be compared with rows.
  PH_KEYS = 20,
  /// How many different whole numbers are counted in one field.
  PH_NUMBERS = 16,
  /// The owners of pages that no tree has; a tree's pages have its place in the list, plus one.
  PH_NO_OWNER = 0,
  PH_FREE = 0xffff,
  PH_MAP = 0xfffe,
  PH_LOCK = 0xfffd,
  PH_TREES = 0xfff0,
};

/// The storage classes, as bits, and one for rows that have no such field: the value is the
/// column's default then.
enum { PH_NULL = 1, PH_INTEGER = 2, PH_REAL = 4, PH_TEXT = 8, PH_BLOB = 16, PH_MISSING = 32 };

/// What a walk has found.
enum ph_finding {
  PH_SOUND,
  /// Something is not as it is known here.
  PH_DOUBTFUL,
  /// `read` gave back false.
  PH_UNREAD,
  PH_NO_MEMORY,
};

/// Fills `into` with a page, counted from 1; false ends the walk.
typedef bool (*ph_read)(void *context, uint32_t page, unsigned char *into);

/// What a field of rows has: the classes of values, a bit each, and how many of them are not NULL.
struct ph_field {
  uint64_t values;
  uint8_t classes;
  /// Where sums are wanted: that of a hash of each value with its row's key, and whether a value
  /// is not in it, because a part of it is on another page.
  bool is_cut;
  uint64_t sum;
};

/// A whole number, and how many rows have it.
struct ph_count {
  int64_t number;
  uint64_t rows;
};

/// A set of whole numbers: those that a field has, or the keys of rows.
struct ph_set {
  uint16_t field;
  /// A bit for each number from 0 to `limit`, the last not counted.
  uint64_t *words;
  uint64_t limit;
  /// How many rows have nothing there, and whether one has what is no number of the set.
  uint64_t nulls;
  bool has_others;
};

/// A table, or an index, and what is found in it.
struct ph_tree {
  uint32_t root;
  bool is_table;
  /// Whether nothing of it has to be read: its pages are in `owners`, and what an earlier walk has
  /// found in it is here. Of the pages' entries in the pointer map, `map_sum` shows whether they
  /// are as they were.
  bool is_known;
  uint64_t map_sum;

  /// Of a table of whose rows more is asked than that they are sound: what is found in each field.
  struct ph_field *fields;
  uint32_t field_count;
  /// Of such a table: the field whose numbers are counted; -1 for none.
  int32_t counted;
  /// Of such a table: whether the sums of fields are wanted.
  bool is_summed;

  /// The sets that are wanted of the rows of such a table.
  struct ph_set *sets;
  uint32_t set_count;

  /// Of an index whose entries are read: the place of its table in the list; -1 for others.
  int32_t table;
  /// The fields of a row that an entry has, in their order; the rowid is its last value.
  const uint16_t *keys;
  uint32_t key_count;
  /// A bit for each key that is in descending order.
  uint32_t descending;
  bool is_unique;

  /// The pages, those of long values included.
  uint64_t pages;
  /// The rows, or the entries.
  uint64_t count;
  /// Of an index: whether all entries could be read, and whether each stands behind the one before.
  bool is_read;
  bool is_ordered;
  /// Of an index: the sum of a hash of each entry.
  uint64_t sum;
  /// Of a table: the rows by the number that they have there, with room for PH_NUMBERS; those that
  /// have another one or none.
  struct ph_count *numbers;
  uint32_t number_count;
  uint64_t uncounted;
};

/// The sum of a hash of each entry that the rows of a table call for in one of its indexes, if all
/// of those could be read.
struct ph_sum {
  uint64_t value;
  bool is_known;
};

/// What is walked.
struct ph_file {
  uint32_t page_size;
  uint32_t page_count;
  /// Whether these trees alone are looked at, and not whether each page has its owner.
  bool is_partial;
  /// The hash is SipHash-1-3 with a key that the file's author cannot know: sums that were made to
  /// agree beforehand do not.
  uint64_t key[2];
  struct ph_tree *trees;
  uint32_t tree_count;
  /// One for each tree that is an index; NULL where none is compared.
  struct ph_sum *expected;
  /// The owner of each page; the first is unused. Those of known trees are there, the others 0.
  uint16_t *owners;
  /// The next tree that a thread takes, and whether none takes one any more.
  uint32_t next_tree;
  bool is_over;
};

// All of `file` must be there until the end, and each thread needs a `context` of its own.

/// Looks at what is no tree; the first part of a walk.
enum ph_finding ph_begin(struct ph_file *file, ph_read read, void *context);
/// Reads the trees that are not known and that no other thread has taken; several threads may.
enum ph_finding ph_walk(struct ph_file *file, ph_read read, void *context);
/// Lets go of the threads that read trees.
void ph_stop(struct ph_file *file);
/// What the walk has shown, once each thread has read its trees.
enum ph_finding ph_end(const struct ph_file *file);
