// The string library. Work done in C is charged, results are measured before they are made,
// letters are ASCII whatever the process's locale, and no address gets into a text.

#include <string.h>

#include "Host.h"

/// Calls the library's own function, in this frame: its errors still name the right function.
static int charged(lua_State *L) {
  size_t length = 0;
  if (lua_type(L, 1) == LUA_TSTRING) lua_tolstring(L, 1, &length);
  lh_charge(L, length / 16);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/// The library makes the whole result in a luaL_Buffer, which cannot collect garbage first.
static int reverse(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  lh_reserve(L, length);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/// As many results at most as table.unpack gives.
static int byte(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  lua_Integer from = luaL_optinteger(L, 2, 1), to = luaL_optinteger(L, 3, from);
  lh_check_results(L, from, to, length);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int repeat(lua_State *L) {
  size_t length, separator = 0;
  luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &separator);
  double result = (double)(length + separator) * (double)count;
  // Empty pieces cost nothing but time: the library would loop for each of them.
  if (count > 0 && length + separator == 0) return lua_pushliteral(L, ""), 1;
  if (result > 1e9) return luaL_error(L, "the result would take more than 1000 MB");
  if (count > 0) lh_reserve(L, (size_t)result);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int change_case(lua_State *L, char first, char last) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  luaL_Buffer changed;
  lh_reserve(L, length);
  char *out = luaL_buffinitsize(L, &changed, length);
  for (size_t i = 0; i < length; i++)
    out[i] = text[i] >= first && text[i] <= last ? (char)(text[i] ^ 0x20) : text[i];
  luaL_pushresultsize(&changed, length);
  return 1;
}

static int upper(lua_State *L) { return change_case(L, 'a', 'z'); }
static int lower(lua_State *L) { return change_case(L, 'A', 'Z'); }

/// Makes every argument of a %s the text it stands for, so that the library meets no table.
static int format(lua_State *L) {
  size_t length, total = 0;
  const char *at = luaL_checklstring(L, 1, &length), *end = at + length;
  int argument = 1;
  for (; at < end; at++) {
    if (*at != '%' || ++at == end || *at == '%') continue;
    while (at < end && *at != 0 && strchr("-+ #0123456789.", *at) != NULL) at++;
    if (at == end) break;
    argument++;
    if (*at == 'p') return luaL_error(L, "'%%p' is not available: addresses differ by run");
    if (lua_type(L, argument) == LUA_TNUMBER) lh_settle_nan(L, argument);
    if ((*at != 's' && *at != 'q') || lua_isnone(L, argument)) continue;
    if (*at == 's' && lua_type(L, argument) != LUA_TSTRING) {
      lua_pushcfunction(L, lh_tostring);
      lua_pushvalue(L, argument);
      lua_call(L, 1, 1);
      lua_replace(L, argument);
    }
    if (lua_type(L, argument) == LUA_TSTRING) total += lua_rawlen(L, argument);
  }
  lh_reserve(L, length + total);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static void take(lua_State *L, int library, const char *name, lua_CFunction guard) {
  lua_getglobal(L, LUA_STRLIBNAME);
  lua_getfield(L, -1, name);
  if (guard != NULL) lua_pushcclosure(L, guard, 1);
  lua_setfield(L, library, name);
  lua_pop(L, 1);
}

void lh_open_string(lua_State *L) {
  lh_push_library(L, "string");
  int library = lua_gettop(L);
  static const char *const cheap[] = {"len", "packsize", "char", NULL};
  static const char *const linear[] = {"sub", "pack", "unpack", NULL};
  for (const char *const *name = cheap; *name != NULL; name++) take(L, library, *name, NULL);
  for (const char *const *name = linear; *name != NULL; name++) take(L, library, *name, charged);
  take(L, library, "byte", byte);
  take(L, library, "reverse", reverse);
  take(L, library, "rep", repeat);
  take(L, library, "format", format);
  lua_pushcfunction(L, upper);
  lua_setfield(L, library, "upper");
  lua_pushcfunction(L, lower);
  lua_setfield(L, library, "lower");
  // Methods of strings come from the guarded table, or ("x"):rep would reach the original.
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushvalue(L, library);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_settop(L, library - 1);
}
