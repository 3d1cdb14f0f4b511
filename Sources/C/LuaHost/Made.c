// What functions returned, as bytes: for each row its key and the length of what follows, then each
// value as its kind and what the kind holds. One thread writes them, then another one reads them.

#include <stdlib.h>
#include <string.h>

#include "Rows.h"

struct head {
  int64_t key;
  uint64_t length;
};

static bool add(lh_made *made, const void *bytes, size_t length) {
  if (made->capacity - made->length < length) {
    size_t capacity = (made->length + length) * 3 / 2 + 1024;
    char *grown = realloc(made->bytes, capacity);
    if (grown == NULL) return false;
    made->bytes = grown;
    made->capacity = capacity;
  }
  if (length > 0) memcpy(made->bytes + made->length, bytes, length);
  made->length += length;
  return true;
}

bool lh_begin_result(lh_made *made, int64_t key) {
  struct head head = {key, 0};
  return add(made, &head, sizeof head);
}

bool lh_add_value(lh_made *made, const lh_value *value) {
  char kind = (char)value->kind;
  if (!add(made, &kind, 1)) return false;
  switch (value->kind) {
    case LH_BOOLEAN:
    case LH_INTEGER: return add(made, &value->integer, sizeof value->integer);
    case LH_REAL: return add(made, &value->real, sizeof value->real);
    case LH_STRING:
      return add(made, &value->length, sizeof value->length) &&
             add(made, value->bytes, value->length);
    default: return true;
  }
}

void lh_end_result(lh_made *made, size_t start) {
  struct head head;
  memcpy(&head, made->bytes + start, sizeof head);
  head.length = made->length - start - sizeof head;
  memcpy(made->bytes + start, &head, sizeof head);
}

void lh_made_free(lh_made *made) {
  free(made->bytes);
  *made = (lh_made){NULL, 0, 0};
}

const char *lh_find_result(const lh_results *results, size_t *at, int64_t key) {
  while (*at < results->length) {
    struct head head;
    memcpy(&head, results->bytes + *at, sizeof head);
    if (head.key > key) return NULL;
    const char *values = results->bytes + *at + sizeof head;
    *at += sizeof head + head.length;
    if (head.key == key) return values;
  }
  return NULL;
}

const char *lh_read_value(const char *result, lh_value *value) {
  *value = (lh_value){(lh_kind)*result++, 0, 0, NULL, 0, NULL};
  switch (value->kind) {
    case LH_BOOLEAN:
    case LH_INTEGER:
      memcpy(&value->integer, result, sizeof value->integer);
      return result + sizeof value->integer;
    case LH_REAL:
      memcpy(&value->real, result, sizeof value->real);
      return result + sizeof value->real;
    case LH_STRING:
      memcpy(&value->length, result, sizeof value->length);
      value->bytes = result + sizeof value->length;
      return value->bytes + value->length;
    default: return result;
  }
}
