#pragma once
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

// An aggregate over the entries of an index, or over the rows that it is of.
//
// It gives a text: how many there were, the sum of a hash of each, and whether they came in the
// order of the index. The hash is SipHash-1-3 of 128 bits with a key of its own for each
// connection: sums of hashes that an attacker could compute beforehand could be made to agree.

/// How many columns an entry may have, its rowid among them.
enum { csqlite_entry_columns = 64 };

/// The bit of the first argument that says that no two entries may have the same values.
#define CSQLITE_ENTRIES_UNIQUE (1LL << 62)

/// A value of the entry before.
typedef struct {
  int type;
  sqlite3_int64 integer;
  double real;
  size_t start, length;
} csqlite_entry_value;

/// What is known of all entries so far.
typedef struct {
  uint64_t count, low, high;
  int is_disordered, columns;
  csqlite_entry_value before[csqlite_entry_columns];
  unsigned char *bytes;
  size_t used, size;
} csqlite_entries;

typedef struct {
  uint64_t v0, v1, v2, v3;
} csqlite_hash;

static inline uint64_t csqlite_rotated(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

static inline void csqlite_hash_round(csqlite_hash *h) {
  h->v0 += h->v1;
  h->v1 = csqlite_rotated(h->v1, 13) ^ h->v0;
  h->v0 = csqlite_rotated(h->v0, 32);
  h->v2 += h->v3;
  h->v3 = csqlite_rotated(h->v3, 16) ^ h->v2;
  h->v0 += h->v3;
  h->v3 = csqlite_rotated(h->v3, 21) ^ h->v0;
  h->v2 += h->v1;
  h->v1 = csqlite_rotated(h->v1, 17) ^ h->v2;
  h->v2 = csqlite_rotated(h->v2, 32);
}

static inline void csqlite_hash_word(csqlite_hash *h, uint64_t word) {
  h->v3 ^= word;
  csqlite_hash_round(h);
  h->v0 ^= word;
}

static inline void csqlite_hash_bytes(csqlite_hash *h, const unsigned char *bytes, size_t count) {
  csqlite_hash_word(h, count);
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    csqlite_hash_word(h, word);
  }
  if (count) {
    uint64_t word = 0;
    memcpy(&word, bytes, count);
    csqlite_hash_word(h, word);
  }
}

static inline uint64_t csqlite_hash_end(csqlite_hash *h) {
  for (int round = 0; round < 3; round++) csqlite_hash_round(h);
  return h->v0 ^ h->v1 ^ h->v2 ^ h->v3;
}

/// The order of an integer and a real number; a NaN is stored as NULL.
static inline int csqlite_compare_mixed(sqlite3_int64 integer, double real) {
  if (real < -9223372036854775808.0) return 1;
  if (real >= 9223372036854775808.0) return -1;
  sqlite3_int64 whole = (sqlite3_int64)real;
  if (integer != whole) return integer < whole ? -1 : 1;
  double rounded = (double)integer;
  return rounded < real ? -1 : rounded > real;
}

/// NULL comes before numbers, these before text, and that before blobs (Datatypes In SQLite, 4.1).
static inline int csqlite_rank(int type) {
  return type == SQLITE_NULL ? 0 : type == SQLITE_TEXT ? 2 : type == SQLITE_BLOB ? 3 : 1;
}

static inline int csqlite_compare(
    const csqlite_entry_value *a, const unsigned char *a_bytes, const csqlite_entry_value *b,
    const unsigned char *b_bytes) {
  int rank = csqlite_rank(a->type), other = csqlite_rank(b->type);
  if (rank != other) return rank < other ? -1 : 1;
  if (rank == 0) return 0;
  if (rank == 1) {
    if (a->type == SQLITE_INTEGER && b->type == SQLITE_INTEGER)
      return a->integer < b->integer ? -1 : a->integer > b->integer;
    if (a->type == SQLITE_INTEGER) return csqlite_compare_mixed(a->integer, b->real);
    if (b->type == SQLITE_INTEGER) return -csqlite_compare_mixed(b->integer, a->real);
    return a->real < b->real ? -1 : a->real > b->real;
  }
  size_t shorter = a->length < b->length ? a->length : b->length;
  int order = shorter ? memcmp(a_bytes, b_bytes, shorter) : 0;
  if (order) return order;
  return a->length < b->length ? -1 : a->length > b->length;
}

/// Keeps an entry's bytes for the comparison with the next one; 0 when there is no memory.
static inline int csqlite_keep_bytes(
    csqlite_entries *entries, const unsigned char *bytes, size_t count) {
  if (entries->used + count > entries->size) {
    size_t size = 2 * (entries->used + count);
    unsigned char *larger = (unsigned char *)sqlite3_realloc64(entries->bytes, size);
    if (!larger) return 0;
    entries->bytes = larger;
    entries->size = size;
  }
  if (count) memcpy(entries->bytes + entries->used, bytes, count);
  entries->used += count;
  return 1;
}

/// Reads a value and hashes it.
static inline csqlite_entry_value csqlite_read_value(
    csqlite_hash *hash, sqlite3_value *value, const unsigned char **bytes) {
  csqlite_entry_value found = {.type = sqlite3_value_type(value)};
  csqlite_hash_word(hash, (uint64_t)found.type);
  switch (found.type) {
  case SQLITE_INTEGER:
    found.integer = sqlite3_value_int64(value);
    csqlite_hash_word(hash, (uint64_t)found.integer);
    break;
  case SQLITE_FLOAT: {
    uint64_t bits;
    found.real = sqlite3_value_double(value);
    memcpy(&bits, &found.real, sizeof bits);
    csqlite_hash_word(hash, bits);
    break;
  }
  case SQLITE_TEXT:
  case SQLITE_BLOB:
    // Of text these are its bytes as well, without a copy that ends in NUL.
    *bytes = (const unsigned char *)sqlite3_value_blob(value);
    found.length = *bytes ? (size_t)sqlite3_value_bytes(value) : 0;
    csqlite_hash_bytes(hash, *bytes, found.length);
    break;
  default: break;
  }
  return found;
}

/// Notes whether an entry comes where it should; `order` has a bit for each descending column.
static inline void csqlite_note_order(
    csqlite_entries *entries, sqlite3_int64 order, int count, const csqlite_entry_value *now,
    const unsigned char *const *bytes) {
  int column = 0, compared = 0, has_null = 0;
  for (; column < count && compared == 0; column++) {
    const csqlite_entry_value *before = &entries->before[column];
    has_null |= column < count - 1 && now[column].type == SQLITE_NULL;
    compared = csqlite_compare(before, entries->bytes + before->start, &now[column], bytes[column]);
    if (column < count - 1 && order >> column & 1) compared = -compared;
  }
  int differs_in_rowid_alone = column == count && !has_null;
  if (compared >= 0 || (order & CSQLITE_ENTRIES_UNIQUE && differs_in_rowid_alone))
    entries->is_disordered = 1;
}

/// An entry: its order or NULL where the order does not matter, its columns, its rowid.
static inline void csqlite_entries_step(
    sqlite3_context *context, int count, sqlite3_value **values) {
  csqlite_entries *entries =
      (csqlite_entries *)sqlite3_aggregate_context(context, sizeof(csqlite_entries));
  if (!entries) return sqlite3_result_error_nomem(context);
  int columns = count - 1;
  if (columns < 1 || columns > csqlite_entry_columns)
    return sqlite3_result_error(context, "an entry has too many columns", -1);
  const uint64_t *key = (const uint64_t *)sqlite3_user_data(context);
  csqlite_hash hash = {
      key[0] ^ 0x736f6d6570736575ULL, key[1] ^ 0x646f72616e646f6dULL ^ 0xee,
      key[0] ^ 0x6c7967656e657261ULL, key[1] ^ 0x7465646279746573ULL};
  csqlite_entry_value now[csqlite_entry_columns];
  const unsigned char *bytes[csqlite_entry_columns];
  for (int column = 0; column < columns; column++) {
    bytes[column] = 0;
    now[column] = csqlite_read_value(&hash, values[column + 1], &bytes[column]);
  }
  hash.v2 ^= 0xee;
  entries->low += csqlite_hash_end(&hash);
  hash.v1 ^= 0xdd;
  entries->high += csqlite_hash_end(&hash);
  if (sqlite3_value_type(values[0]) == SQLITE_INTEGER) {
    if (entries->count)
      csqlite_note_order(entries, sqlite3_value_int64(values[0]), columns, now, bytes);
    entries->used = 0;
    for (int column = 0; column < columns; column++) {
      now[column].start = entries->used;
      if (!csqlite_keep_bytes(entries, bytes[column], now[column].length))
        return sqlite3_result_error_nomem(context);
      entries->before[column] = now[column];
    }
  }
  entries->count++;
}

static inline void csqlite_entries_final(sqlite3_context *context) {
  csqlite_entries *entries = (csqlite_entries *)sqlite3_aggregate_context(context, 0);
  csqlite_entries none = {0};
  const csqlite_entries *all = entries ? entries : &none;
  char *text = sqlite3_mprintf(
      "%llu %016llx%016llx%s", (unsigned long long)all->count, (unsigned long long)all->high,
      (unsigned long long)all->low, all->is_disordered ? " disordered" : "");
  if (entries) sqlite3_free(entries->bytes);
  if (!text) return sqlite3_result_error_nomem(context);
  sqlite3_result_text(context, text, -1, sqlite3_free);
}

/// Makes the aggregate known to a connection, for statements of ours alone, with a key of its own.
static inline int csqlite_create_entries(sqlite3 *db, const char *name) {
  uint64_t *key = (uint64_t *)sqlite3_malloc(16);
  if (!key) return SQLITE_NOMEM;
  sqlite3_randomness(16, key);
  return sqlite3_create_function_v2(
      db, name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, key, 0, csqlite_entries_step,
      csqlite_entries_final, sqlite3_free);
}
