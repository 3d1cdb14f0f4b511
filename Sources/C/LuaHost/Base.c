// The base functions that the sandbox makes its own: those that could swallow a stop, run code
// where no hook fires, reach what is protected, or give an answer that differs from run to run.

#include <math.h>

#include "Host.h"

/// A lack of memory becomes a stop, however it was raised.
static void stop_if_memory(lua_State *L, int status) {
  lh_host *host = lh_host_of(L);
  if (!host->stop && lh_is_memory_error(L, status)) {
    host->stop = LH_MEMORY;
    if (host->line == 0) lh_note_position(host);
  }
}

/// Calls in protected mode, from which no stop comes back.
static int guarded_call(lua_State *L, int arguments, int results) {
  lh_host *host = lh_host_of(L);
  size_t nodes = host->node_count;
  int status = lua_pcall(L, arguments, results, 0);
  if (status != LUA_OK) {
    // An error half-way to a host function leaves behind what was written for it.
    host->node_count = nodes;
    stop_if_memory(L, status);
  }
  if (host->stop) lh_raise_stop(L);
  return status;
}

static int protected_call(lua_State *L) {
  luaL_checkany(L, 1);
  int status = guarded_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  luaL_checkstack(L, 1, NULL);
  lua_pushboolean(L, status == LUA_OK);
  lua_insert(L, 1);
  return lua_gettop(L);
}

/// The handler runs after unwinding: inside the error it would run with hooks off (ldo.c).
static int protected_call_with_handler(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 1);
  lua_copy(L, 2, 1);
  lua_replace(L, 2);
  int status = guarded_call(L, lua_gettop(L) - 2, LUA_MULTRET);
  luaL_checkstack(L, 1, NULL);
  if (status != LUA_OK) {
    lua_pushvalue(L, 1);
    lua_insert(L, -2);
    // An error of the handler's is what the call gives back then, as the library does it.
    guarded_call(L, 1, 1);
  }
  lua_pushboolean(L, status == LUA_OK);
  lua_replace(L, 1);
  return lua_gettop(L);
}

static bool has_field(lua_State *L, int table, const char *name) {
  lua_pushstring(L, name);
  bool found = lua_rawget(L, table) != LUA_TNIL;
  lua_pop(L, 1);
  return found;
}

static int set_metatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnoneornil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  lua_settop(L, 2);
  // Finalizers run with hooks off (lgc.c); Lua looks for __gc only here, so this is enough.
  if (lua_istable(L, 2) && has_field(L, 2, "__gc"))
    return luaL_error(L, "__gc is not available: nothing could stop a finalizer");
  if (lua_istable(L, 2) && has_field(L, 2, "__mode"))
    return luaL_error(L, "__mode is not available: weak tables differ from run to run");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "a protected metatable cannot be changed");
  lua_setmetatable(L, 1);
  return 1;
}

static int get_metatable(lua_State *L) {
  // A string's metatable is shared by every script of the state.
  if (lua_type(L, 1) != LUA_TTABLE || !lua_getmetatable(L, 1)) {
    lua_pushnil(L);
    return 1;
  }
  luaL_getmetafield(L, 1, "__metatable");
  return 1;
}

static int raw_set(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "a protected table cannot be written");
  lua_settop(L, 3);
  lua_rawset(L, 1);
  return 1;
}

/// "-nan" or "nan" for 0/0 is the processor's choice: a text has "nan" for both.
void lh_settle_nan(lua_State *L, int index) {
  lua_Number number = lua_tonumber(L, index);
  if (number == number) return;
  lua_pushnumber(L, (lua_Number)NAN);
  lua_replace(L, index);
}

/// Never an address: what a script writes must not depend on the process.
int lh_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (lua_type(L, 1) == LUA_TNUMBER) lh_settle_nan(L, 1);
  if (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL || lua_type(L, 1) == LUA_TNUMBER ||
      lua_type(L, 1) == LUA_TSTRING || lua_type(L, 1) == LUA_TBOOLEAN ||
      lua_type(L, 1) == LUA_TNIL) {
    lua_settop(L, 1);
    luaL_tolstring(L, 1, NULL);
  } else {
    lua_pushstring(L, luaL_typename(L, 1));
  }
  return 1;
}

static int say(lua_State *L) {
  lh_host *host = lh_host_of(L);
  int count = lua_gettop(L);
  luaL_Buffer line;
  luaL_checkstack(L, count + 4, NULL);
  luaL_buffinit(L, &line);
  for (int i = 1; i <= count; i++) {
    if (i > 1) luaL_addchar(&line, '\t');
    lua_pushcfunction(L, lh_tostring);
    lua_pushvalue(L, i);
    lua_call(L, 1, 1);
    luaL_addvalue(&line);
  }
  luaL_pushresult(&line);
  if (host->say == NULL) return 0;
  lh_value text = {.kind = LH_STRING};
  text.bytes = lua_tolstring(L, -1, &text.length);
  lh_reply reply = {{NULL, 0, 0}, NULL, 0};
  host->say(host->say_context, (lh_values){&text, 1, 1}, &reply);
  return 0;
}

/// The iterator of `pairs`. Upvalues: the table, its keys, how many are done.
static int next_pair(lua_State *L) {
  lua_Integer done = lua_tointeger(L, lua_upvalueindex(3));
  for (;;) {
    done++;
    if (lua_rawgeti(L, lua_upvalueindex(2), done) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    // A key whose value was taken away meanwhile is passed over, as `next` does.
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) break;
    lua_pop(L, 2);
    lh_charge(L, 1);
  }
  lua_pushinteger(L, done);
  lua_replace(L, lua_upvalueindex(3));
  return 2;
}

int lh_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_pushvalue(L, 1);
  lh_push_sorted_keys(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

/// The key that follows, in the same order as `pairs`: the smallest one above the one given.
static int next_in_order(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  lua_pushnil(L);
  for (lua_pushnil(L); lua_next(L, 1) != 0;) {
    lua_pop(L, 1);
    lh_charge(L, 1);
    bool after = lua_isnil(L, 2) || lh_compare_keys(L, 4, 2) > 0;
    if (after && (lua_isnil(L, 3) || lh_compare_keys(L, 4, 3) < 0)) {
      lua_pushvalue(L, 4);
      lua_replace(L, 3);
    }
  }
  if (lua_isnil(L, 3)) return 1;
  lua_pushvalue(L, 3);
  lua_rawget(L, 1);
  return 2;
}

static const luaL_Reg own[] = {
    {"pcall", protected_call},       {"setmetatable", set_metatable},
    {"getmetatable", get_metatable}, {"rawset", raw_set},
    {"tostring", lh_tostring},       {"print", say},
    {"pairs", lh_pairs},       {"next", next_in_order},
    {"xpcall", protected_call_with_handler},
    {NULL, NULL},
};

static const char *const taken[] = {
    "assert", "error", "ipairs", "rawequal", "rawget", "rawlen", "select", "tonumber", "type",
    "_VERSION", NULL,
};

/// Calls the library's own function after paying for the length of its text.
static int charged(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) lh_charge(L, lua_rawlen(L, 1) / 8);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/// utf8.codepoint, with as many results at most as table.unpack gives.
static int codepoint(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  lua_Integer from = luaL_optinteger(L, 2, 1), to = luaL_optinteger(L, 3, from);
  lh_check_results(L, from, to, length);
  return charged(L);
}

/// Copies a standard library into the guarded one of its name.
static void take_library(lua_State *L, const char *name) {
  lh_push_library(L, name);
  lua_getglobal(L, name);
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);
  }
  lua_pop(L, 2);
}

static const luaL_Reg utf8_guards[] = {
    {"len", charged}, {"offset", charged}, {"codepoint", codepoint}, {NULL, NULL},
};

void lh_open_base(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_builtins_key);
  for (const char *const *name = taken; *name != NULL; name++) {
    lua_getglobal(L, *name);
    lua_setfield(L, -2, *name);
  }
  luaL_setfuncs(L, own, 0);
  lua_pop(L, 1);
  take_library(L, "utf8");
  lh_push_library(L, "utf8");
  for (const luaL_Reg *guard = utf8_guards; guard->name != NULL; guard++) {
    lua_getfield(L, -1, guard->name);
    lua_pushcclosure(L, guard->func, 1);
    lua_setfield(L, -2, guard->name);
  }
  lua_pop(L, 1);
  take_library(L, "math");
  lh_push_library(L, "math");
  lua_pushnil(L);
  lua_setfield(L, -2, "random");
  lua_pushnil(L);
  lua_setfield(L, -2, "randomseed");
  lua_pop(L, 1);
}
