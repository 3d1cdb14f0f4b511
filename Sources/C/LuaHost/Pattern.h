#ifndef LUA_HOST_PATTERN_H
#define LUA_HOST_PATTERN_H

#include "Host.h"

enum { PATTERN_CAPTURES = 32, PATTERN_DEPTH = 200 };

/// One search: what is matched against what, the captures so far, and what it has cost.
typedef struct lh_matcher {
  lua_State *L;
  const char *subject, *subject_end, *pattern, *pattern_end;
  int depth;
  uint64_t steps, unpaid, limit;
  int captures;
  struct {
    const char *start;
    ptrdiff_t length;
  } capture[PATTERN_CAPTURES];
} lh_matcher;

void lh_matcher_begin(
    lh_matcher *matcher, lua_State *L, const char *subject, size_t length, const char *pattern,
    size_t pattern_length);

/// Where a match that begins at `start` ends, or NULL.
const char *lh_matcher_match(lh_matcher *matcher, const char *start);

/// Pushes one capture; the whole match stands for the first where the pattern has none.
void lh_matcher_push_capture(
    lh_matcher *matcher, int index, const char *start, const char *end);

/// Pushes all captures, or the whole match where `whole` is set and there are none.
int lh_matcher_push_captures(lh_matcher *matcher, bool whole, const char *start, const char *end);

#endif
