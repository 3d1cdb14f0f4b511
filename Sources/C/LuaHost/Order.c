// One order for everything that has none of its own. A table's own order depends on a seed that
// Lua takes from addresses and the clock (lstate.c, luai_makeseed), so a run would not repeat.

#include <string.h>

#include "Host.h"

static int rank(lua_State *L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER: return 0;
    case LUA_TSTRING: return 1;
    case LUA_TBOOLEAN: return 2;
    default:
      return luaL_error(L, "a table with keys of type %s has no order to go through it in; "
          "keep such keys in a list", luaL_typename(L, index));
  }
}

static int compare_strings(lua_State *L, int a, int b) {
  size_t left_length, right_length;
  const char *left = lua_tolstring(L, a, &left_length);
  const char *right = lua_tolstring(L, b, &right_length);
  size_t shorter = left_length < right_length ? left_length : right_length;
  lh_charge(L, shorter / 64);
  int order = memcmp(left, right, shorter);
  return order != 0 ? order : (left_length > right_length) - (left_length < right_length);
}

/// Numbers first, then strings by their bytes, then booleans.
int lh_compare_keys(lua_State *L, int a, int b) {
  int left = rank(L, a), right = rank(L, b);
  if (left != right) return left - right;
  if (left == 1) return compare_strings(L, a, b);
  if (left == 2) return lua_toboolean(L, a) - lua_toboolean(L, b);
  return lua_compare(L, b, a, LUA_OPLT) - lua_compare(L, a, b, LUA_OPLT);
}

static void merge(
    lua_State *L, int from, int to, lua_Integer low, lua_Integer middle, lua_Integer high,
    int (*precedes)(lua_State *L)) {
  lua_Integer left = low, right = middle;
  for (lua_Integer at = low; at < high; at++) {
    lh_charge(L, 4);
    bool take_right = left == middle;
    if (left < middle && right < high) {
      lua_rawgeti(L, from, right + 1);
      lua_rawgeti(L, from, left + 1);
      take_right = precedes(L) != 0;
      lua_pop(L, 2);
    }
    lua_rawgeti(L, from, (take_right ? right++ : left++) + 1);
    lua_rawseti(L, to, at + 1);
  }
}

/// A stable merge sort: the same result for the same input, n log n whatever the comparison says.
/// `precedes` looks at the two values on top of the stack and leaves them there.
void lh_sort(lua_State *L, int list, lua_Integer count, int (*precedes)(lua_State *L)) {
  lua_createtable(L, (int)count, 0);
  lua_createtable(L, (int)count, 0);
  int from = lua_gettop(L) - 1, to = from + 1;
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    lua_rawseti(L, from, i);
  }
  for (lua_Integer width = 1; width < count; width *= 2) {
    for (lua_Integer low = 0; low < count; low += 2 * width) {
      lua_Integer middle = low + width < count ? low + width : count;
      lua_Integer high = low + 2 * width < count ? low + 2 * width : count;
      merge(L, from, to, low, middle, high, precedes);
    }
    lua_rotate(L, from, 1);
  }
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, from, i);
    lua_rawseti(L, list, i);
  }
  lua_pop(L, 2);
}

static int key_precedes(lua_State *L) {
  return lh_compare_keys(L, lua_gettop(L) - 1, lua_gettop(L)) < 0;
}

/// Leaves a list of a table's keys on the stack, in order.
void lh_push_sorted_keys(lua_State *L, int table) {
  lua_Integer count = 0;
  bool sorted = true;
  lua_newtable(L);
  int list = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table) != 0;) {
    lua_pop(L, 1);
    lh_charge(L, 1);
    rank(L, -1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, list, ++count);
    // A list's own order is 1, 2, 3 already.
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) != count) sorted = false;
  }
  if (!sorted) lh_sort(L, list, count, key_precedes);
}
