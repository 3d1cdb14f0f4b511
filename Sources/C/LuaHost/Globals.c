// The world a script sees: libraries that cannot be written, names that exist or are an error,
// globals of its own that are locked once it has loaded.

#include <string.h>

#include "Host.h"

void lh_open_globals(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &lh_builtins_key);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &lh_libraries_key);
}

static int refuse_write(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  return luaL_error(L, "'%s.%s' cannot be written: '%s' is read-only",
      lua_tostring(L, lua_upvalueindex(1)), key, lua_tostring(L, lua_upvalueindex(1)));
}

/// Whether a library of the host's has a member.
static int is_member(lua_State *L, const char *library, const char *name) {
  int top = lua_gettop(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_libraries_key);
  int is = lua_getfield(L, -1, library) == LUA_TTABLE;
  if (is) {
    lua_pushstring(L, name);
    is = lua_rawget(L, -2) != LUA_TNIL;
  }
  lua_settop(L, top);
  return is;
}

static int unknown_member(lua_State *L) {
  const char *library = lua_tostring(L, lua_upvalueindex(1));
  if (lua_type(L, 2) != LUA_TSTRING) return luaL_error(L, "'%s' has only named members", library);
  const char *name = lua_tostring(L, 2);
  if (strcmp(name, "random") == 0 || strcmp(name, "randomseed") == 0)
    return luaL_error(L, "'math.%s' is not available: a run must repeat; use ctx.random()", name);
  if (strcmp(library, "string") == 0 && is_member(L, "text", name))
    return luaL_error(L, "'string' has no '%s'; write text.%s(...)", name, name);
  const char *near = lh_nearest(L, name, 1);
  return near == NULL ? luaL_error(L, "'%s' has no '%s'", library, name)
                      : luaL_error(L, "'%s' has no '%s'; did you mean '%s'?", library, name, near);
}

/// __pairs of a stand-in: what it stands for can be listed, though not reached.
static int list_members(lua_State *L) {
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  return lh_pairs(L);
}

/// Leaves a stand-in on the stack through which the table at `table` can only be read.
/// The library's name is on top of the stack, and is taken.
void lh_push_read_only(lua_State *L, int table) {
  int name = lua_gettop(L);
  lua_newtable(L);
  lua_createtable(L, 0, 4);
  lua_pushvalue(L, table);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, table);
  lua_pushcclosure(L, list_members, 1);
  lua_setfield(L, -2, "__pairs");
  lua_pushvalue(L, name);
  lua_pushcclosure(L, refuse_write, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_remove(L, name);
}

/// Leaves a library's own table on the stack, made if there is none. Scripts hold its stand-in.
void lh_push_library(lua_State *L, const char *name) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_libraries_key);
  if (lua_getfield(L, -1, name) == LUA_TTABLE) {
    lua_remove(L, -2);
    return;
  }
  lua_pop(L, 1);
  lua_newtable(L);
  int library = lua_gettop(L);
  lua_pushvalue(L, library);
  lua_setfield(L, library - 1, name);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, name);
  lua_pushcclosure(L, unknown_member, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, library);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_builtins_key);
  lua_pushstring(L, name);
  lh_push_read_only(L, library);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  lua_remove(L, library - 1);
}

static const char *const withheld[][2] = {
    {"os", "scripts cannot reach the system; ctx.now and date.* give and read time"},
    {"io", "scripts cannot reach files; data comes through objects"},
    {"debug", "scripts cannot look into the interpreter"},
    {"package", "scripts load files next to them with require"},
    {"coroutine", "a run must be able to stop a script at any place"},
    {"load", "only files are loaded, as text"},
    {"loadstring", "only files are loaded, as text"},
    {"dofile", "files next to the script are loaded with require"},
    {"loadfile", "files next to the script are loaded with require"},
    {"collectgarbage", "memory is the host's business"},
    {"unpack", "it is table.unpack"},
};

static const char *const foreign[][2] = {
    {"null", "Lua writes nil"},
    {"None", "Lua writes nil"},
    {"undefined", "Lua writes nil"},
    {"True", "Lua writes true"},
    {"False", "Lua writes false"},
    {"new", "it is the second parameter: create = function(source, new, ctx)"},
    {"ctx", "it is the last parameter, as in create = function(source, new, ctx)"},
};

static int unknown_global(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  const char *name = lua_tostring(L, 2);
  // Known, and nil where it was not built in: a script can ask for it.
  if (strcmp(name, "image") == 0) return 0;
  for (size_t i = 0; i < sizeof withheld / sizeof *withheld; i++)
    if (strcmp(name, withheld[i][0]) == 0)
      return luaL_error(L, "'%s' is not available: %s", name, withheld[i][1]);
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (strcmp(name, foreign[i][0]) == 0)
      return luaL_error(L, "unknown name '%s'; %s", name, foreign[i][1]);
  const char *near = lh_nearest(L, name, 1);
  return near == NULL ? luaL_error(L, "unknown name '%s'", name)
                      : luaL_error(L, "unknown name '%s'; did you mean '%s'?", name, near);
}

/// __newindex of an environment. Upvalues: the script's globals, the lock.
static int write_global(lua_State *L) {
  int *lock = lua_touserdata(L, lua_upvalueindex(2));
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  if (*lock)
    return luaL_error(L, "global '%s' cannot be written once the script has loaded: what is kept "
        "between objects breaks a resumed run; use a local, or ctx.state", name);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_builtins_key);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, -2) != LUA_TNIL)
    return luaL_error(L, "'%s' is the sandbox's own and cannot be written", name);
  lua_settop(L, 3);
  lua_rawset(L, lua_upvalueindex(1));
  return 0;
}

/// Leaves a new environment on the stack: always empty, so that every write is seen.
void lh_push_environment(lua_State *L) {
  lua_newtable(L);
  int environment = lua_gettop(L);
  lua_newtable(L);
  int globals = environment + 1;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_builtins_key);
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, globals);
  }
  lua_pop(L, 1);
  lua_pushvalue(L, environment);
  lua_setfield(L, globals, "_G");
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, unknown_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, globals);

  lua_createtable(L, 0, 5);
  lua_pushvalue(L, globals);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, globals);
  lua_pushcclosure(L, list_members, 1);
  lua_setfield(L, -2, "__pairs");
  lua_pushvalue(L, globals);
  int *lock = lua_newuserdatauv(L, sizeof *lock, 0);
  *lock = 0;
  lua_pushvalue(L, -1);
  lua_rawsetp(L, -4, &lh_lock_key);
  lua_pushcclosure(L, write_global, 2);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, environment);
  lua_settop(L, environment);
}
