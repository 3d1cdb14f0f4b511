// Lua's patterns (reference manual, 6.4.1) with a budget. The library's matcher runs in C where
// no hook fires, and backtracks without end on patterns people write every day: "%s+$" over a
// long run of blanks is quadratic. Here each step is counted and charged.

#include "Pattern.h"

#include <string.h>

enum { POSITION = -2, OPEN = -1 };

static const char *match(lh_matcher *m, const char *s, const char *p);

static void spend(lh_matcher *m, uint64_t steps) {
  m->unpaid += steps;
  if (m->unpaid < 1024) return;
  m->steps += m->unpaid;
  lh_charge(m->L, m->unpaid);
  m->unpaid = 0;
  if (m->steps > m->limit)
    luaL_error(m->L, "the pattern '%s' needs too many steps on a text of %d bytes; "
        "make it simpler, or use text.trim, text.split or text.replace", m->pattern,
        (int)(m->subject_end - m->subject));
}

static bool is_letter(unsigned char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
static bool is_graphic(unsigned char c) { return c > ' ' && c < 0x7F; }

/// %a and its like, over ASCII whatever the locale; a capital asks for the complement.
static bool class_has(unsigned char c, unsigned char name) {
  bool has;
  switch (name | 0x20) {
    case 'a': has = is_letter(c); break;
    case 'c': has = c < 0x20 || c == 0x7F; break;
    case 'd': has = is_digit(c); break;
    case 'g': has = is_graphic(c); break;
    case 'l': has = c >= 'a' && c <= 'z'; break;
    case 'p': has = is_graphic(c) && !is_letter(c) && !is_digit(c); break;
    case 's': has = c == ' ' || (c >= '\t' && c <= '\r'); break;
    case 'u': has = c >= 'A' && c <= 'Z'; break;
    case 'w': has = is_letter(c) || is_digit(c); break;
    case 'x': has = is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); break;
    // Out of use since Lua 5.2, and still understood (lstrlib.c, match_class).
    case 'z': has = c == 0; break;
    default: return name == c;
  }
  return is_letter(name) && (name & 0x20) == 0 ? !has : has;
}

/// The end of the single character class that begins at `p`.
static const char *class_end(lh_matcher *m, const char *p) {
  if (*p++ == '%') {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (p[-1] != '[') return p;
  if (p < m->pattern_end && *p == '^') p++;
  do {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
    if (*p++ == '%' && p < m->pattern_end) p++;
  } while (p == m->pattern_end || *p != ']');
  return p + 1;
}

/// Whether a set, from its '[' to its last character, has a character.
static bool set_has(lh_matcher *m, unsigned char c, const char *p, const char *last) {
  bool wanted = true;
  spend(m, (uint64_t)(last - p) / 8);
  if (p[1] == '^') {
    wanted = false;
    p++;
  }
  while (++p < last) {
    if (*p == '%') {
      p++;
      if (class_has(c, (unsigned char)*p)) return wanted;
    } else if (p[1] == '-' && p + 2 < last) {
      p += 2;
      if ((unsigned char)p[-2] <= c && c <= (unsigned char)*p) return wanted;
    } else if ((unsigned char)*p == c) {
      return wanted;
    }
  }
  return !wanted;
}

static bool single_has(lh_matcher *m, const char *s, const char *p, const char *end) {
  if (s >= m->subject_end) return false;
  unsigned char c = (unsigned char)*s;
  switch (*p) {
    case '.': return true;
    case '%': return class_has(c, (unsigned char)p[1]);
    case '[': return set_has(m, c, p, end - 1);
    default: return (unsigned char)*p == c;
  }
}

static const char *match_balanced(lh_matcher *m, const char *s, const char *p) {
  if (m->pattern_end - p < 2) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->subject_end || *s != *p) return NULL;
  int open = 1;
  for (const char *at = s + 1; at < m->subject_end; at++) {
    spend(m, 1);
    if (*at == p[1]) {
      if (--open == 0) return at + 1;
    } else if (*at == *p) {
      open++;
    }
  }
  return NULL;
}

static const char *match_longest(
    lh_matcher *m, const char *s, const char *p, const char *end, ptrdiff_t least) {
  ptrdiff_t count = 0;
  while (single_has(m, s + count, p, end)) {
    count++;
    spend(m, 1);
  }
  for (; count >= least; count--) {
    const char *rest = match(m, s + count, end + 1);
    if (rest != NULL) return rest;
  }
  return NULL;
}

static const char *match_shortest(lh_matcher *m, const char *s, const char *p, const char *end) {
  for (;;) {
    const char *rest = match(m, s, end + 1);
    if (rest != NULL) return rest;
    if (!single_has(m, s, p, end)) return NULL;
    s++;
  }
}

static const char *open_capture(lh_matcher *m, const char *s, const char *p, ptrdiff_t kind) {
  if (m->captures == PATTERN_CAPTURES) luaL_error(m->L, "too many captures");
  m->capture[m->captures].start = s;
  m->capture[m->captures].length = kind;
  m->captures++;
  const char *rest = match(m, s, p);
  if (rest == NULL) m->captures--;
  return rest;
}

static const char *close_capture(lh_matcher *m, const char *s, const char *p) {
  int last = m->captures - 1;
  while (last >= 0 && m->capture[last].length != OPEN) last--;
  if (last < 0) luaL_error(m->L, "invalid pattern capture");
  m->capture[last].length = s - m->capture[last].start;
  const char *rest = match(m, s, p);
  if (rest == NULL) m->capture[last].length = OPEN;
  return rest;
}

static const char *match_again(lh_matcher *m, const char *s, char digit) {
  int index = digit - '1';
  if (index < 0 || index >= m->captures || m->capture[index].length == OPEN)
    luaL_error(m->L, "invalid capture index %%%d", index + 1);
  ptrdiff_t length = m->capture[index].length;
  if (length < 0 || m->subject_end - s < length) return NULL;
  spend(m, (uint64_t)length / 8);
  return memcmp(m->capture[index].start, s, (size_t)length) == 0 ? s + length : NULL;
}

/// %f[set]: between a character outside the set and one inside it; '\0' stands at both ends.
static bool is_frontier(lh_matcher *m, const char *s, const char *p, const char *end) {
  unsigned char before = s == m->subject ? 0 : (unsigned char)s[-1];
  unsigned char after = s == m->subject_end ? 0 : (unsigned char)*s;
  return !set_has(m, before, p, end - 1) && set_has(m, after, p, end - 1);
}

/// %b, %f and %1: sets `*taken` where the item is one of these.
static const char *match_escape(lh_matcher *m, const char *s, const char **p, bool *taken) {
  *taken = true;
  char name = (*p)[1];
  if (name == 'b') {
    *p += 4;
    return match_balanced(m, s, *p - 2);
  }
  if (name == 'f') {
    const char *set = *p + 2;
    if (set >= m->pattern_end || *set != '[')
      luaL_error(m->L, "missing '[' after '%%f' in pattern");
    *p = class_end(m, set);
    return is_frontier(m, s, set, *p) ? s : NULL;
  }
  if (is_digit((unsigned char)name)) {
    *p += 2;
    return match_again(m, s, name);
  }
  *taken = false;
  return NULL;
}

/// Captures and the anchor at the end: they match the whole rest, so `*taken` ends the loop.
static const char *match_rest(lh_matcher *m, const char *s, const char *p, bool *taken) {
  *taken = true;
  if (*p == '(') {
    bool position = p + 1 < m->pattern_end && p[1] == ')';
    return open_capture(m, s, p + (position ? 2 : 1), position ? POSITION : OPEN);
  }
  if (*p == ')') return close_capture(m, s, p + 1);
  if (*p == '$' && p + 1 == m->pattern_end) return s == m->subject_end ? s : NULL;
  *taken = false;
  return NULL;
}

/// A class repeated by the suffix at its end, and the rest after it.
static const char *match_repeated(lh_matcher *m, const char *s, const char *p, const char *end) {
  switch (*end) {
    case '*': return match_longest(m, s, p, end, 0);
    case '+': return match_longest(m, s, p, end, 1);
    default: return match_shortest(m, s, p, end);
  }
}

/// Matches the pattern from `p` on at `s`; items without alternatives go round the loop.
static const char *match(lh_matcher *m, const char *s, const char *p) {
  if (m->depth++ == PATTERN_DEPTH) luaL_error(m->L, "pattern too complex");
  while (s != NULL && p < m->pattern_end) {
    spend(m, 1);
    bool taken = false;
    const char *after = match_rest(m, s, p, &taken);
    if (taken) {
      s = after;
      break;
    }
    if (*p == '%' && p + 1 < m->pattern_end) after = match_escape(m, s, &p, &taken);
    if (taken) {
      s = after;
      continue;
    }
    const char *end = class_end(m, p);
    char suffix = end < m->pattern_end ? *end : 0;
    bool one = single_has(m, s, p, end);
    if (!one && (suffix == '*' || suffix == '-')) {
      p = end + 1;
      continue;
    }
    if (suffix == '*' || suffix == '+' || suffix == '-') {
      s = match_repeated(m, s, p, end);
      break;
    }
    if (suffix != '?') {
      s = one ? s + 1 : NULL;
      p = end;
      continue;
    }
    after = one ? match(m, s + 1, end + 1) : NULL;
    if (after != NULL) {
      s = after;
      break;
    }
    p = end + 1;
  }
  m->depth--;
  return s;
}

void lh_matcher_begin(
    lh_matcher *m, lua_State *L, const char *subject, size_t length, const char *pattern,
    size_t pattern_length) {
  m->L = L;
  m->subject = subject;
  m->subject_end = subject + length;
  m->pattern = pattern;
  m->pattern_end = pattern + pattern_length;
  m->steps = m->unpaid = 0;
  // Ample for anything linear, a few tenths of a second for what is not.
  m->limit = 20000000 + 100 * (uint64_t)length;
}

const char *lh_matcher_match(lh_matcher *m, const char *start) {
  m->depth = m->captures = 0;
  return match(m, start, m->pattern);
}

void lh_matcher_push_capture(lh_matcher *m, int index, const char *start, const char *end) {
  if (index >= m->captures) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    lua_pushlstring(m->L, start, (size_t)(end - start));
    return;
  }
  ptrdiff_t length = m->capture[index].length;
  if (length == OPEN) luaL_error(m->L, "unfinished capture");
  if (length == POSITION)
    lua_pushinteger(m->L, m->capture[index].start - m->subject + 1);
  else
    lua_pushlstring(m->L, m->capture[index].start, (size_t)length);
}

int lh_matcher_push_captures(lh_matcher *m, bool whole, const char *start, const char *end) {
  int count = m->captures == 0 && whole ? 1 : m->captures;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) lh_matcher_push_capture(m, i, start, end);
  return count;
}
