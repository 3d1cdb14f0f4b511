// find, match, gmatch and gsub over the matcher with a budget.

#include <string.h>

#include "Pattern.h"

static bool has_specials(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (pattern[i] != 0 && strchr("^$*+?.([%-", pattern[i]) != NULL) return true;
  return false;
}

/// Where a search begins: 1 is the first byte, -1 the last.
static size_t start_of(lua_Integer position, size_t length) {
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(lua_Integer)length) return 0;
  return length + (size_t)position;
}

static int find_plain(
    lua_State *L, const char *subject, size_t length, size_t start, const char *word,
    size_t word_length) {
  const char *found = lh_search(L, subject + start, length - start, word, word_length);
  if (found == NULL) return lua_pushnil(L), 1;
  lua_pushinteger(L, found - subject + 1);
  lua_pushinteger(L, found - subject + (lua_Integer)word_length);
  return 2;
}

static int find_or_match(lua_State *L, bool find) {
  size_t length, pattern_length;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  size_t start = start_of(luaL_optinteger(L, 3, 1), length);
  if (start > length) return lua_pushnil(L), 1;
  if (find && (lua_toboolean(L, 4) || !has_specials(pattern, pattern_length)))
    return find_plain(L, subject, length, start, pattern, pattern_length);
  bool anchored = pattern_length > 0 && *pattern == '^';
  lh_matcher matcher;
  lh_matcher_begin(&matcher, L, subject, length, pattern + anchored, pattern_length - anchored);
  const char *at = subject + start;
  do {
    const char *end = lh_matcher_match(&matcher, at);
    if (end == NULL) continue;
    if (!find) return lh_matcher_push_captures(&matcher, true, at, end);
    lua_pushinteger(L, at - subject + 1);
    lua_pushinteger(L, end - subject);
    return 2 + lh_matcher_push_captures(&matcher, false, at, end);
  } while (at++ < matcher.subject_end && !anchored);
  return lua_pushnil(L), 1;
}

static int find(lua_State *L) { return find_or_match(L, true); }
static int match(lua_State *L) { return find_or_match(L, false); }

/// Upvalues: subject, pattern, where to continue, where the last match ended.
static int next_match(lua_State *L) {
  size_t length, pattern_length;
  const char *subject = lua_tolstring(L, lua_upvalueindex(1), &length);
  const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
  lua_Integer ended = lua_tointeger(L, lua_upvalueindex(4));
  const char *last = ended == 0 ? NULL : subject + ended - 1;
  lh_matcher matcher;
  lh_matcher_begin(&matcher, L, subject, length, pattern, pattern_length);
  const char *at = subject + lua_tointeger(L, lua_upvalueindex(3));
  for (; at <= matcher.subject_end; at++) {
    const char *end = lh_matcher_match(&matcher, at);
    // An empty match where the last one ended would be the same match again.
    if (end == NULL || end == last) continue;
    lua_pushinteger(L, end - subject);
    lua_replace(L, lua_upvalueindex(3));
    lua_pushinteger(L, end - subject + 1);
    lua_replace(L, lua_upvalueindex(4));
    return lh_matcher_push_captures(&matcher, true, at, end);
  }
  return 0;
}

static int all_matches(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  luaL_checkstring(L, 2);
  size_t start = start_of(luaL_optinteger(L, 3, 1), length);
  lua_settop(L, 2);
  lua_pushinteger(L, (lua_Integer)(start > length ? length + 1 : start));
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

static void add_template(
    lh_matcher *matcher, luaL_Buffer *out, const char *start, const char *end) {
  lua_State *L = matcher->L;
  size_t length;
  const char *text = lua_tolstring(L, 3, &length), *text_end = text + length;
  for (; text < text_end; text++) {
    if (*text != '%') {
      luaL_addchar(out, *text);
    } else if (++text < text_end && *text == '%') {
      luaL_addchar(out, '%');
    } else if (text < text_end && *text == '0') {
      luaL_addlstring(out, start, (size_t)(end - start));
    } else if (text < text_end && *text >= '1' && *text <= '9') {
      lh_matcher_push_capture(matcher, *text - '1', start, end);
      luaL_tolstring(L, -1, NULL);
      lua_remove(L, -2);
      luaL_addvalue(out);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
  }
}

/// Appends what takes a match's place; false and nil leave it as it is.
static void add_replacement(
    lh_matcher *matcher, luaL_Buffer *out, const char *start, const char *end) {
  lua_State *L = matcher->L;
  switch (lua_type(L, 3)) {
    case LUA_TFUNCTION: {
      lua_pushvalue(L, 3);
      lua_call(L, lh_matcher_push_captures(matcher, true, start, end), 1);
      break;
    }
    case LUA_TTABLE:
      lh_matcher_push_capture(matcher, 0, start, end);
      lua_gettable(L, 3);
      break;
    default: add_template(matcher, out, start, end); return;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(out, start, (size_t)(end - start));
  } else if (!lua_isstring(L, -1)) {
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  } else {
    luaL_addvalue(out);
  }
}

static int substitute(lua_State *L) {
  size_t length, pattern_length;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  int kind = lua_type(L, 3);
  luaL_argexpected(L, kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION ||
      kind == LUA_TTABLE, 3, "string/function/table");
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
  bool anchored = pattern_length > 0 && *pattern == '^';
  lh_matcher matcher;
  luaL_Buffer out;
  lh_reserve(L, length);
  lh_matcher_begin(&matcher, L, subject, length, pattern + anchored, pattern_length - anchored);
  luaL_buffinit(L, &out);
  const char *at = subject, *last = NULL;
  while (count < most) {
    const char *end = lh_matcher_match(&matcher, at);
    if (end != NULL && end != last) {
      count++;
      add_replacement(&matcher, &out, at, end);
      at = last = end;
    } else if (at < matcher.subject_end) {
      luaL_addchar(&out, *at);
      at++;
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&out, at, (size_t)(matcher.subject_end - at));
  luaL_pushresult(&out);
  lua_pushinteger(L, count);
  return 2;
}

void lh_open_patterns(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"find", find}, {"match", match}, {"gmatch", all_matches}, {"gsub", substitute},
      {NULL, NULL},
  };
  lh_push_library(L, "string");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
