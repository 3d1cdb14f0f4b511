// Rows and entries: what is in their records, and whether the ones call for the others.

#include "Hash.h"
#include "Host.h"

#include <stdlib.h>
#include <string.h>

WITHIN void hash_bytes(struct hash *h, const unsigned char *bytes, uint32_t count) {
  hash_word(h, count);
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash_word(h, word);
  }
  if (count > 0) {
    uint64_t word = 0;
    memcpy(&word, bytes, count);
    hash_word(h, word);
  }
}

/// The class of a serial type (2.1, Record Format).
WITHIN enum class class_of(uint64_t type) {
  if (type >= 12) return type & 1 ? TEXT : BLOB;
  return type == 0 ? NONE : type == 7 ? REAL : INTEGER;
}

/// The length of a value of a serial type; -1 for those that are "reserved for internal use".
WITHIN int64_t length_of(uint64_t type) {
  static const int8_t lengths[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, -1, -1};
  return type < 12 ? lengths[type] : (int64_t)((type - 12) / 2);
}

WITHIN uint64_t big64(const unsigned char *bytes) {
  return (uint64_t)big32(bytes) << 32 | big32(bytes + 4);
}

/// A "big-endian twos-complement integer" of one of the lengths that there are; memory is there
/// for the longest.
WITHIN int64_t integer(const unsigned char *at, uint64_t type) {
  static const uint8_t others[] = {0, 56, 48, 40, 32, 16, 0, 0, 0, 0};
  return type < 8 ? (int64_t)big64(at) >> others[type] : (int64_t)type - 8;
}

/// Reads a real number; false for what is none.
///
/// A whole one counts as an integer: a column of real numbers keeps those as integers.
static bool open_real(const unsigned char *at, struct value *value) {
  uint64_t word = big64(at);
  double real;
  memcpy(&real, &word, 8);
  if (real != real) return false;
  if (real >= -9223372036854775808.0 && real < 9223372036854775808.0 &&
      (double)(int64_t)real == real) {
    value->class = INTEGER;
    value->number.integer = (int64_t)real;
  } else {
    value->number.real = real;
  }
  return true;
}

/// Reads a value of a serial type, and adds it to a hash; false for what is no number.
WITHIN bool open_value(
    const unsigned char *bytes, uint32_t start, uint32_t type, struct value *value,
    struct hash *h) {
  value->class = class_of(type);
  if (type >= 12) {
    value->start = start;
    value->length = (uint32_t)length_of(type);
    hash_bytes(h, bytes + start, value->length);
  } else if (type != 0) {
    if (type != 7)
      value->number.integer = integer(bytes + start, type);
    else if (!open_real(bytes + start, value))
      return false;
    uint64_t word;
    memcpy(&word, &value->number, 8);
    hash_word(h, word);
  }
  h->classes = h->classes << 3 | value->class;
  return true;
}

/// Sees to it that the place of a field is known in each row.
static void want(struct state *state, uint16_t field) {
  if (field >= state->wanted) state->wanted = (uint32_t)field + 1;
}

void begin_records(struct state *state) {
  struct ph_tree *tree = state->tree;
  tree->is_read = tree->is_ordered = true;
  state->entries[0].bytes = NULL;
  state->entries[1].bytes = NULL;
  state->wanted = 0;
  if (!tree->is_table) return;
  for (uint32_t set = 0; set < tree->set_count; set++) {
    if (tree->sets[set].field != PH_ROWID) want(state, tree->sets[set].field);
  }
  for (uint32_t next = state->first[state->place]; next != 0; next = state->next[next - 1]) {
    const struct ph_tree *index = &state->file->trees[next - 1];
    state->sums[next - 1] = (struct ph_sum){.is_known = true};
    for (uint32_t key = 0; key < index->key_count; key++) want(state, index->keys[key]);
  }
}

void end_records(struct state *state) {
  if (!state->tree->is_table) return;
  for (uint32_t next = state->first[state->place]; next != 0; next = state->next[next - 1])
    state->file->expected[next - 1] = state->sums[next - 1];
}

/// Memory for so many bytes.
static bool make_room(struct state *state, unsigned char **memory, size_t *size, size_t count) {
  if (count <= *size) return true;
  unsigned char *larger = realloc(*memory, count + SLACK);
  if (!larger) return ended(state, PH_NO_MEMORY);
  *memory = larger;
  *size = count;
  return true;
}

// Rows.

/// Notes a field of a row; false for one that its table does not have.
WITHIN bool note_field(
    struct state *state, struct ph_tree *tree, uint32_t field, uint64_t type, uint64_t start) {
  if (!tree->fields) return true;
  if (field >= tree->field_count) return false;
  tree->fields[field].classes |= (uint8_t)(1 << class_of(type));
  tree->fields[field].values += type != 0;
  if (field < state->wanted || (int64_t)field == tree->counted || tree->is_summed) {
    state->types[field] = (uint32_t)type;
    state->starts[field] = start > UINT32_MAX ? UINT32_MAX : (uint32_t)start;
  }
  return true;
}

/// Reads a record's header: how many fields there are, of which classes, and where; false for a
/// record that is not as it should be.
WITHIN bool open_row(
    struct state *state, const unsigned char *bytes, size_t there, uint64_t payload,
    uint32_t *count) {
  uint64_t header;
  uint32_t at = varint(bytes, bytes + there, &header);
  if (at == 0 || header > there || header < at) return false;
  struct ph_tree *tree = state->tree;
  uint64_t start = header;
  uint32_t field = 0;
  while (at < header) {
    uint64_t type;
    uint32_t length = varint(bytes + at, bytes + header, &type);
    int64_t size = length_of(type);
    if (length == 0 || size < 0 || type > UINT32_MAX) return false;
    if (!note_field(state, tree, field, type, start)) return false;
    at += length;
    start += (uint64_t)size;
    field++;
  }
  *count = field;
  for (uint32_t rest = field; tree->fields && rest < tree->field_count; rest++)
    tree->fields[rest].classes |= PH_MISSING;
  return at == header && start == payload;
}

/// Whether a field is there as a whole.
WITHIN bool has_field(const struct state *state, uint32_t field, uint32_t count, size_t there) {
  return field < count &&
         state->starts[field] + (uint64_t)length_of(state->types[field]) <= there;
}

WITHIN void count_number(
    struct state *state, const unsigned char *bytes, uint32_t count, size_t there) {
  struct ph_tree *tree = state->tree;
  if (tree->counted < 0) return;
  uint32_t field = (uint32_t)tree->counted;
  if (has_field(state, field, count, there) && class_of(state->types[field]) == INTEGER) {
    int64_t number = integer(bytes + state->starts[field], state->types[field]);
    uint32_t place = 0;
    while (place < tree->number_count && tree->numbers[place].number != number) place++;
    if (place < PH_NUMBERS) {
      if (place == tree->number_count)
        tree->numbers[tree->number_count++] = (struct ph_count){number, 0};
      tree->numbers[place].rows++;
      return;
    }
  }
  tree->uncounted++;
}

/// Adds the entry that a row calls for to what is expected of an index.
WITHIN void expect_entry(
    struct state *state, uint32_t place, int64_t rowid, const unsigned char *bytes,
    uint32_t count, size_t there) {
  const struct ph_tree *index = &state->file->trees[place];
  struct ph_sum *sum = &state->sums[place];
  struct hash h = hash_begin(state->file->key);
  for (uint32_t key = 0; key < index->key_count; key++) {
    uint32_t field = index->keys[key];
    struct value value;
    if (!has_field(state, field, count, there) ||
        !open_value(bytes, state->starts[field], state->types[field], &value, &h)) {
      sum->is_known = false;
      return;
    }
  }
  hash_word(&h, (uint64_t)rowid);
  h.classes = h.classes << 3 | INTEGER;
  sum->value += hash_end(&h);
}

/// The record of a cell, put together where the rest is elsewhere; NULL where too little is read.
static const unsigned char *gather(
    struct state *state, const struct page *page, const struct cell *cell, size_t wanted,
    unsigned char **memory, size_t *size, size_t *there) {
  const unsigned char *bytes = page->bytes + cell->at;
  *there = cell->local;
  size_t count = wanted > LONGEST_RECORD ? LONGEST_RECORD : wanted;
  if (count > cell->payload) count = cell->payload;
  // Pages that are not wanted are not read where the file as a whole is not looked at.
  if (count <= cell->local)
    return state->file->is_partial || follow(state, page, cell, NULL, 0) ? bytes : NULL;
  if (!make_room(state, memory, size, count)) return NULL;
  memcpy(*memory, bytes, cell->local);
  if (!follow(state, page, cell, *memory + cell->local, count - cell->local)) return NULL;
  *there = count;
  return *memory;
}

static void add_number(struct ph_set *set, int64_t number) {
  if (number < 0 || (uint64_t)number >= set->limit)
    set->has_others = true;
  else
    set->words[number / 64] |= (uint64_t)1 << (number % 64);
}

static void add_to_set(
    struct state *state, struct ph_set *set, int64_t rowid, const unsigned char *bytes,
    uint32_t count, size_t there) {
  if (set->field == PH_ROWID) {
    add_number(set, rowid);
  } else if (!has_field(state, set->field, count, there)) {
    set->has_others = true;
  } else {
    uint32_t type = state->types[set->field];
    if (class_of(type) == INTEGER)
      add_number(set, integer(bytes + state->starts[set->field], type));
    else if (type == 0)
      set->nulls++;
    else
      set->has_others = true;
  }
}

/// How much of a row is needed for the fields that are looked at.
static size_t needed(const struct state *state, uint32_t count) {
  uint64_t most = 0;
  for (uint32_t field = 0; field < state->wanted && field < count; field++) {
    uint64_t end = state->starts[field] + (uint64_t)length_of(state->types[field]);
    if (end > most) most = end;
  }
  return most > LONGEST_RECORD ? LONGEST_RECORD : (size_t)most;
}

/// Adds each value of a row, as it is stored, to the sum of its field.
static void sum_fields(
    struct state *state, int64_t rowid, const unsigned char *bytes, uint32_t count,
    size_t there) {
  for (uint32_t place = 0; place < count; place++) {
    struct ph_field *field = &state->tree->fields[place];
    if (!has_field(state, place, count, there)) {
      field->is_cut = true;
      continue;
    }
    uint32_t type = state->types[place];
    const unsigned char *at = bytes + state->starts[place];
    struct hash h = hash_begin(state->file->key);
    hash_word(&h, (uint64_t)rowid);
    if (type >= 12)
      hash_bytes(&h, at, (uint32_t)length_of(type));
    else if (type != 0)
      hash_word(&h, type == 7 ? big64(at) : (uint64_t)integer(at, type));
    h.classes = class_of(type);
    field->sum += hash_end(&h);
  }
}

static void take_fields(
    struct state *state, int64_t rowid, const unsigned char *bytes, uint32_t count,
    size_t there) {
  struct ph_tree *tree = state->tree;
  if (tree->is_summed) sum_fields(state, rowid, bytes, count, there);
  count_number(state, bytes, count, there);
  for (uint32_t set = 0; set < tree->set_count; set++)
    add_to_set(state, &tree->sets[set], rowid, bytes, count, there);
  for (uint32_t next = state->first[state->place]; next != 0; next = state->next[next - 1])
    expect_entry(state, next - 1, rowid, bytes, count, there);
}

bool take_row(struct state *state, const struct page *page, const struct cell *cell) {
  const unsigned char *bytes = page->bytes + cell->at;
  size_t there = cell->local;
  uint32_t count = 0;
  // Of a long row its beginning is nearly always enough.
  bool is_open = open_row(state, bytes, there, cell->payload, &count);
  if (there < cell->payload) {
    size_t wanted = is_open ? needed(state, count) : LONGEST_RECORD;
    bytes = gather(state, page, cell, wanted, &state->row, &state->row_size, &there);
    if (!bytes) return false;
    if (!is_open) is_open = open_row(state, bytes, there, cell->payload, &count);
  }
  if (!is_open) return doubt(state);
  if (state->tree->fields) take_fields(state, cell->rowid, bytes, count, there);
  return true;
}

// Entries.

/// Reads all values of an entry, and hashes them.
WITHIN bool open_entry(
    struct entry *entry, uint32_t keys, size_t there, const uint64_t key[2], uint64_t *sum) {
  const unsigned char *bytes = entry->bytes;
  uint64_t header;
  uint32_t at = varint(bytes, bytes + there, &header);
  if (at == 0 || header > there) return false;
  uint64_t start = header;
  struct hash h = hash_begin(key);
  uint32_t classes = 0;
  for (uint32_t place = 0; place <= keys; place++) {
    uint64_t type;
    uint32_t length = varint(bytes + at, bytes + header, &type);
    int64_t size = length_of(type);
    if (length == 0 || size < 0 || type > UINT32_MAX || start + (uint64_t)size > there)
      return false;
    at += length;
    struct value *value = &entry->values[place];
    if (!open_value(bytes, (uint32_t)start, (uint32_t)type, value, &h)) return false;
    classes |= 1u << value->class;
    start += (uint64_t)size;
  }
  entry->has_bytes = classes & (1u << TEXT | 1u << BLOB);
  entry->has_null = classes & 1u << NONE;
  *sum += hash_end(&h);
  return at == header && start == there && entry->values[keys].class == INTEGER;
}

/// The order of an integer and a real number.
static int compare_mixed(int64_t integer, double real) {
  if (real < -9223372036854775808.0) return 1;
  if (real >= 9223372036854775808.0) return -1;
  int64_t whole = (int64_t)real;
  if (integer != whole) return integer < whole ? -1 : 1;
  double rounded = (double)integer;
  return rounded < real ? -1 : rounded > real;
}

/// NULL comes before numbers, these before text, and that before blobs (Datatypes In SQLite, 4.1).
WITHIN int compare(
    const struct value *a, const unsigned char *a_bytes, const struct value *b,
    const unsigned char *b_bytes) {
  if (a->class == INTEGER && b->class == INTEGER)
    return a->number.integer < b->number.integer ? -1 : a->number.integer > b->number.integer;
  bool are_numbers = (a->class == INTEGER || a->class == REAL) &&
                     (b->class == INTEGER || b->class == REAL);
  if (!are_numbers) {
    if (a->class != b->class) return a->class < b->class ? -1 : 1;
    if (a->class == NONE) return 0;
    uint32_t shorter = a->length < b->length ? a->length : b->length;
    int order = shorter ? memcmp(a_bytes + a->start, b_bytes + b->start, shorter) : 0;
    if (order) return order;
    return a->length < b->length ? -1 : a->length > b->length;
  }
  if (a->class == INTEGER) return compare_mixed(a->number.integer, b->number.real);
  if (b->class == INTEGER) return -compare_mixed(b->number.integer, a->number.real);
  return a->number.real < b->number.real ? -1 : a->number.real > b->number.real;
}

/// Whether an entry stands behind another one, and is not the same where none may be.
WITHIN bool is_behind(
    const struct ph_tree *tree, const struct entry *now, const struct entry *old) {
  for (uint32_t key = 0; key < tree->key_count; key++) {
    int order = compare(&old->values[key], old->bytes, &now->values[key], now->bytes);
    if (order != 0) return tree->descending >> key & 1 ? order > 0 : order < 0;
  }
  if (tree->is_unique && !now->has_null) return false;
  return old->values[tree->key_count].number.integer < now->values[tree->key_count].number.integer;
}

bool take_entry(struct state *state, const struct page *page, const struct cell *cell) {
  struct ph_tree *tree = state->tree;
  struct entry *now = &state->entries[state->current], *old = &state->entries[!state->current];
  bool is_wanted = tree->table >= 0 && tree->is_read;
  size_t there = cell->local;
  now->bytes = page->bytes + cell->at;
  if (there < cell->payload)
    now->bytes = gather(
        state, page, cell, is_wanted ? LONGEST_RECORD : 0, &now->own, &now->size, &there);
  if (!now->bytes) return false;
  if (!is_wanted) return true;
  now->depth = now->bytes == now->own ? -1 : page->depth;
  if (there < cell->payload ||
      !open_entry(now, tree->key_count, there, state->file->key, &tree->sum)) {
    tree->is_read = false;
    return true;
  }
  if (tree->count > 1 && tree->is_ordered) tree->is_ordered = is_behind(tree, now, old);
  state->current = !state->current;
  return true;
}

bool keep_entry(struct state *state, int depth) {
  struct entry *old = &state->entries[!state->current];
  if (!old->bytes || old->depth != depth || !old->has_bytes) return true;
  size_t count = 0;
  for (uint32_t place = 0; place <= state->tree->key_count; place++) {
    const struct value *value = &old->values[place];
    if (value->class >= TEXT && value->start + value->length > count)
      count = value->start + value->length;
  }
  if (!make_room(state, &old->own, &old->size, count)) return false;
  memcpy(old->own, old->bytes, count);
  old->bytes = old->own;
  old->depth = -1;
  return true;
}
