// `text`: what nearly every transform does to texts, linear and without patterns. Blanks and
// letters are ASCII; bytes above it pass through, so UTF-8 stays whole.

#include <string.h>

#include "Host.h"

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int trim_ends(lua_State *L, bool start, bool end) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  size_t from = 0, to = length;
  while (start && from < to && is_blank(text[from])) from++;
  while (end && to > from && is_blank(text[to - 1])) to--;
  lh_charge(L, (length - (to - from)) / 16);
  if (from == 0 && to == length)
    lua_settop(L, 1);
  else
    lua_pushlstring(L, text + from, to - from);
  return 1;
}

static int trim(lua_State *L) { return trim_ends(L, true, true); }
static int trim_start(lua_State *L) { return trim_ends(L, true, false); }
static int trim_end(lua_State *L) { return trim_ends(L, false, true); }

static int split(lua_State *L) {
  size_t length, word_length;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *word = luaL_checklstring(L, 2, &word_length);
  lua_Integer most = luaL_optinteger(L, 3, LUA_MAXINTEGER), count = 1;
  luaL_argcheck(L, word_length > 0, 2, "the separator is empty");
  luaL_argcheck(L, most > 0, 3, "at least one piece");
  const char *end = text + length;
  lua_newtable(L);
  for (; count < most; count++) {
    const char *found = lh_search(L, text, (size_t)(end - text), word, word_length);
    if (found == NULL) break;
    lh_charge(L, 1);
    lua_pushlstring(L, text, (size_t)(found - text));
    lua_rawseti(L, -2, count);
    text = found + word_length;
  }
  lua_pushlstring(L, text, (size_t)(end - text));
  lua_rawseti(L, -2, count);
  return 1;
}

static int replace(lua_State *L) {
  size_t length, word_length, new_length;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *word = luaL_checklstring(L, 2, &word_length);
  const char *new = luaL_checklstring(L, 3, &new_length);
  lua_Integer most = luaL_optinteger(L, 4, LUA_MAXINTEGER), count = 0;
  luaL_argcheck(L, word_length > 0, 2, "the text to be replaced is empty");
  const char *end = text + length;
  luaL_Buffer out;
  lh_reserve(L, length);
  luaL_buffinit(L, &out);
  for (; count < most; count++) {
    const char *found = lh_search(L, text, (size_t)(end - text), word, word_length);
    if (found == NULL) break;
    lh_charge(L, 1 + new_length / 64);
    luaL_addlstring(&out, text, (size_t)(found - text));
    luaL_addlstring(&out, new, new_length);
    text = found + word_length;
  }
  luaL_addlstring(&out, text, (size_t)(end - text));
  luaL_pushresult(&out);
  lua_pushinteger(L, count);
  return 2;
}

/// Byte for byte, with ASCII letters changed between `from` and `to`.
static int change(lua_State *L, char first, char last, size_t most) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  luaL_Buffer out;
  lh_reserve(L, length);
  char *bytes = luaL_buffinitsize(L, &out, length);
  for (size_t i = 0; i < length; i++) {
    bool letter = i < most && text[i] >= first && text[i] <= last;
    bytes[i] = letter ? (char)(text[i] ^ 0x20) : text[i];
  }
  luaL_pushresultsize(&out, length);
  return 1;
}

static int lower(lua_State *L) { return change(L, 'A', 'Z', SIZE_MAX); }
static int upper(lua_State *L) { return change(L, 'a', 'z', SIZE_MAX); }
static int upper_first(lua_State *L) { return change(L, 'a', 'z', 1); }

static int ends(lua_State *L, bool start) {
  size_t length, word_length;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *word = luaL_checklstring(L, 2, &word_length);
  lh_charge(L, word_length / 64);
  bool fits = word_length <= length;
  const char *at = start || !fits ? text : text + length - word_length;
  lua_pushboolean(L, fits && memcmp(at, word, word_length) == 0);
  return 1;
}

static int starts_with(lua_State *L) { return ends(L, true); }

static int ends_with(lua_State *L) { return ends(L, false); }

static int contains(lua_State *L) {
  size_t length, word_length;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *word = luaL_checklstring(L, 2, &word_length);
  lua_pushboolean(L, lh_search(L, text, length, word, word_length) != NULL);
  return 1;
}

/// The number of characters: bytes that do not continue one. Malformed bytes count as one each.
static int count_characters(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_Integer count = 0;
  lh_charge(L, length / 16);
  for (size_t i = 0; i < length;) {
    unsigned char lead = (unsigned char)text[i];
    size_t width = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
    size_t whole = 1;
    while (whole < width && i + whole < length && ((unsigned char)text[i + whole] & 0xC0) == 0x80)
      whole++;
    i += whole == width ? width : 1;
    count++;
  }
  lua_pushinteger(L, count);
  return 1;
}

void lh_open_text(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"trim", trim},
      {"trimStart", trim_start},
      {"trimEnd", trim_end},
      {"split", split},
      {"replace", replace},
      {"lower", lower},
      {"upper", upper},
      {"upperFirst", upper_first},
      {"startsWith", starts_with},
      {"endsWith", ends_with},
      {"contains", contains},
      {"length", count_characters},
      {NULL, NULL},
  };
  lh_push_library(L, "text");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
