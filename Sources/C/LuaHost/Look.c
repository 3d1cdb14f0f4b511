// A look at all that functions can reach and change: their upvalues, the tables in them, and so on.
// Globals are locked when a script has loaded, and libraries are read-only; but a local of the
// script next to its functions, or a table in one, can keep something from object to object.

#include <string.h>

#include "Rows.h"

enum {
  /// Values that are looked at before it is given up.
  MOST_VALUES = 20000,
  /// Tables and functions within each other.
  DEEPEST = 60,
};

/// A look that is under way: what has been seen, at a stack index, by address.
struct look {
  uint64_t sum;
  int seen, left, depth;
};

static void mix(struct look *look, uint64_t value) {
  // The finisher of SplitMix64: all bits of the sum take part in all of the next one.
  uint64_t sum = look->sum + value + 0x9E3779B97F4A7C15u;
  sum = (sum ^ (sum >> 30)) * 0xBF58476D1CE4E5B9u;
  sum = (sum ^ (sum >> 27)) * 0x94D049BB133111EBu;
  look->sum = sum ^ (sum >> 31);
}

static void mix_bytes(struct look *look, const char *bytes, size_t length) {
  mix(look, length);
  look->left -= (int)(length >> 6 > MOST_VALUES ? MOST_VALUES : length >> 6);
  for (size_t at = 0; at < length; at += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + at, length - at < 8 ? length - at : 8);
    mix(look, word);
  }
}

/// Whether what is on top of the stack was looked at before; from now on it was.
static bool is_seen(lua_State *L, struct look *look) {
  bool is_seen = lua_rawgetp(L, look->seen, lua_topointer(L, -1)) != LUA_TNIL;
  lua_pop(L, 1);
  if (is_seen) return true;
  lua_pushboolean(L, 1);
  lua_rawsetp(L, look->seen, lua_topointer(L, -2));
  return false;
}

static void take(lua_State *L, struct look *look);

static void take_table(lua_State *L, struct look *look) {
  int table = lua_gettop(L);
  for (lua_pushnil(L); look->left > 0 && lua_next(L, table) != 0;) {
    take(L, look);
    lua_pushvalue(L, -1);
    take(L, look);
  }
  lua_settop(L, table);
  if (!lua_getmetatable(L, table)) return;
  take(L, look);
}

static void take_function(lua_State *L, struct look *look) {
  for (int i = 1; look->left > 0 && lua_getupvalue(L, -1, i) != NULL; i++) take(L, look);
}

/// Takes in the value on top of the stack, and pops it.
static void take(lua_State *L, struct look *look) {
  lh_value value;
  look->left--;
  mix(look, (uint64_t)lua_type(L, -1));
  if (lh_peek_value(L, -1, &value)) {
    uint64_t real;
    memcpy(&real, &value.real, sizeof real);
    mix(look, (uint64_t)value.integer);
    mix(look, real);
    if (value.kind == LH_STRING) mix_bytes(look, value.bytes, value.length);
  } else {
    mix(look, (uint64_t)(uintptr_t)lua_topointer(L, -1));
    bool is_table = lua_istable(L, -1);
    if ((is_table || lua_isfunction(L, -1)) && !is_seen(L, look)) {
      if (++look->depth > DEEPEST) look->left = 0;
      luaL_checkstack(L, LUA_MINSTACK, NULL);
      if (look->left > 0) (is_table ? take_table : take_function)(L, look);
      look->depth--;
    }
  }
  lua_pop(L, 1);
}

uint64_t lh_look_at(lua_State *L, const lh_function *functions, int count) {
  int top = lua_gettop(L);
  lua_newtable(L);
  struct look look = {0, lua_gettop(L), MOST_VALUES, 0};
  for (int i = 0; i < count; i++) {
    if (!functions[i].is_plain) continue;
    lua_rawgeti(L, LUA_REGISTRYINDEX, functions[i].reference);
    take(L, &look);
  }
  lua_settop(L, top);
  if (look.left <= 0) return 0;
  return look.sum != 0 ? look.sum : 1;
}

struct question {
  const lh_function *functions;
  int count;
  uint64_t *look;
};

static int look_body(lua_State *L) {
  struct question *question = lua_touserdata(L, 1);
  *question->look = lh_look_at(L, question->functions, question->count);
  return 0;
}

lh_status lh_look(lh_host *host, const lh_function *functions, int count, uint64_t *look) {
  struct question question = {functions, count, look};
  return lh_enter(host, look_body, &question);
}
