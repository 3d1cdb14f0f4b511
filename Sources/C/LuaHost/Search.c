// Finding things: a word in a text, the name a misspelt one was meant to be.

#include <string.h>

#include "Host.h"

/// The first place of a word in a text, or NULL. Every byte looked at is paid for.
const char *lh_search(
    lua_State *L, const char *subject, size_t length, const char *word, size_t word_length) {
  if (word_length == 0) return subject;
  uint64_t looked = 0;
  while (length >= word_length) {
    const char *found = memchr(subject, word[0], length - word_length + 1);
    if (found == NULL) break;
    size_t same = 1;
    while (same < word_length && found[same] == word[same]) same++;
    looked += (uint64_t)(found - subject) / 16 + same / 4 + 1;
    if (looked > LH_HOOK_INTERVAL) {
      lh_charge(L, looked);
      looked = 0;
    }
    if (same == word_length) return found;
    length -= (size_t)(found - subject) + 1;
    subject = found + 1;
  }
  lh_charge(L, looked + length / 16);
  return NULL;
}

enum { LONGEST_NAME = 40 };

/// Levenshtein's distance, one row at a time.
static int distance(const char *a, const char *b) {
  size_t length = strlen(b);
  int row[LONGEST_NAME + 1];
  for (size_t j = 0; j <= length; j++) row[j] = (int)j;
  for (size_t i = 0; a[i] != 0; i++) {
    int diagonal = row[0];
    row[0] = (int)i + 1;
    for (size_t j = 0; j < length; j++) {
      int change = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      int shorter = row[j] < diagonal ? row[j] + 1 : diagonal + 1;
      row[j + 1] = change < shorter ? change : shorter;
    }
  }
  return row[length];
}

/// The nearest of a table's names, or NULL where none is near. Ties go to the first by bytes.
const char *lh_nearest(lua_State *L, const char *word, int table) {
  size_t length = strlen(word);
  const char *best = NULL;
  int smallest = length < 3 ? (int)length : length < 6 ? 3 : (int)length / 3 + 2;
  if (length > LONGEST_NAME) return NULL;
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const char *name = lua_tostring(L, -2);
    lh_charge(L, 16);
    if (strlen(name) > LONGEST_NAME) continue;
    int far = distance(word, name);
    bool closer = far < smallest || (far == smallest && best != NULL && strcmp(name, best) < 0);
    if (!closer) continue;
    smallest = far;
    best = name;
  }
  return best;
}
