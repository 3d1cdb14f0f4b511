// The table library, for plain tables: a metatable's __len or __index could keep its C loops
// going for ever, where no hook fires.

#include "Host.h"

enum { LONGEST_LIST = 1 << 24 };

static lua_Integer check_plain(lua_State *L, int index) {
  luaL_checktype(L, index, LUA_TTABLE);
  static const char *const lying[] = {"__len", "__index", "__newindex", NULL};
  for (const char *const *name = lying; *name != NULL; name++)
    if (luaL_getmetafield(L, index, *name) != LUA_TNIL)
      luaL_error(L, "table functions take plain tables; this one has %s", *name);
  return (lua_Integer)lua_rawlen(L, index);
}

/// "The border" of a table with holes is any of them (reference manual, 3.4.7): a table with just
/// the keys 1, 2, 4 and so on has a length of 1 << 62.
static lua_Integer check_list(lua_State *L, int index) {
  lua_Integer length = check_plain(L, index);
  if (length > LONGEST_LIST)
    luaL_error(L, "a list of more than %d elements is too large", LONGEST_LIST);
  return length;
}

static int original(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

static int shifted(lua_State *L) {
  lh_charge(L, (uint64_t)check_list(L, 1) / 8);
  return original(L);
}

static void check_range(lua_State *L, lua_Integer from, lua_Integer to, lua_Integer most) {
  if (to < from) return;
  if ((lua_Unsigned)to - (lua_Unsigned)from >= (lua_Unsigned)most)
    luaL_error(L, "a range of more than %I elements is too large", most);
  lh_charge(L, (lua_Unsigned)to - (lua_Unsigned)from);
}

/// Refuses more results than a call may have, of places in a text as string.byte takes them.
void lh_check_results(lua_State *L, lua_Integer from, lua_Integer to, size_t length) {
  lua_Integer size = (lua_Integer)length;
  if (from < 0) from = from < -size ? 1 : size + from + 1;
  if (to < 0) to = to < -size ? 0 : size + to + 1;
  check_range(L, from > 0 ? from : 1, to < size ? to : size, LH_MAX_RESULTS);
}

static int concat(lua_State *L) {
  lua_Integer length = check_plain(L, 1), bytes = 0;
  lua_Integer from = luaL_optinteger(L, 3, 1), to = luaL_optinteger(L, 4, length);
  size_t separator = 0;
  luaL_optlstring(L, 2, "", &separator);
  check_range(L, from, to, LONGEST_LIST);
  if (to > from) bytes = (lua_Integer)separator * (to - from);
  for (lua_Integer i = from; from <= to && i <= to; i++) {
    if (lua_rawgeti(L, 1, i) == LUA_TSTRING) bytes += (lua_Integer)lua_rawlen(L, -1);
    lua_pop(L, 1);
    if (i == to) break;
  }
  lh_reserve(L, (size_t)bytes);
  return original(L);
}

static int move(lua_State *L) {
  check_plain(L, 1);
  if (!lua_isnoneornil(L, 5)) check_plain(L, 5);
  check_range(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3), LONGEST_LIST);
  return original(L);
}

static int unpack(lua_State *L) {
  lua_Integer length = check_plain(L, 1);
  check_range(L, luaL_optinteger(L, 2, 1), luaL_optinteger(L, 3, length), LH_MAX_RESULTS);
  return original(L);
}

static int precedes(lua_State *L) {
  int a = lua_gettop(L) - 1, b = a + 1;
  if (lua_isnoneornil(L, 2)) {
    // By bytes, not by the locale's collation.
    if (lua_type(L, a) == LUA_TSTRING && lua_type(L, b) == LUA_TSTRING)
      return lh_compare_keys(L, a, b) < 0;
    return lua_compare(L, a, b, LUA_OPLT);
  }
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  lua_call(L, 2, 1);
  int answer = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return answer;
}

/// Stable, and the same for the same input: the library's own takes its pivots from the clock.
static int sort(lua_State *L) {
  lua_Integer length = check_list(L, 1);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  lh_sort(L, 1, length, precedes);
  return 0;
}

static void take(lua_State *L, int library, const char *name, lua_CFunction guard) {
  lua_getglobal(L, LUA_TABLIBNAME);
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, guard, 1);
  lua_setfield(L, library, name);
  lua_pop(L, 1);
}

void lh_open_table(lua_State *L) {
  lh_push_library(L, "table");
  int library = lua_gettop(L);
  take(L, library, "insert", shifted);
  take(L, library, "remove", shifted);
  take(L, library, "concat", concat);
  take(L, library, "move", move);
  take(L, library, "unpack", unpack);
  take(L, library, "pack", original);
  lua_pushcfunction(L, sort);
  lua_setfield(L, library, "sort");
  lua_pop(L, 1);
}
