// What the host adds to a script's world. The Swift frame of a host function begins and ends
// inside one call here; what it reports as an error is raised afterwards, from C, because
// lua_error leaves by longjmp.

#include "Host.h"

struct function {
  lh_callback callback;
  void *context;
};

static int trampoline(lua_State *L) {
  lh_host *host = lh_host_of(L);
  struct function *function = lua_touserdata(L, lua_upvalueindex(1));
  int count = lua_gettop(L);
  if (count > 16) return luaL_error(L, "%d arguments are too many", count);
  size_t from = host->node_count;
  for (int i = 1; i <= count; i++) lh_flatten(L, i, 0);
  // Room for the few slots that an entry made from inside the callback takes here.
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lh_reply reply = {{NULL, 0, 0}, NULL, 0};
  function->callback(function->context, lh_flattened(host, from, (size_t)count), &reply);
  host->node_count = from;
  if (host->stop) lh_raise_stop(L);
  if (reply.error != NULL) return lh_raise_reply(L, &reply);
  luaL_checkstack(L, (int)reply.values.values + 4, "too many results");
  lh_push_values(L, reply.values);
  return (int)reply.values.values;
}

struct definition {
  const char *module, *name;
  struct function function;
};

static int define_body(lua_State *L) {
  struct definition *definition = lua_touserdata(L, 1);
  if (definition->module != NULL)
    lh_push_library(L, definition->module);
  else
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_builtins_key);
  struct function *function = lua_newuserdatauv(L, sizeof *function, 0);
  *function = definition->function;
  lua_pushcclosure(L, trampoline, 1);
  lua_setfield(L, -2, definition->name);
  return 0;
}

lh_status lh_define(
    lh_host *host, const char *module, const char *name, lh_callback callback, void *context) {
  struct definition definition = {module, name, {callback, context}};
  return lh_enter(host, define_body, &definition);
}

struct value_definition {
  const char *name;
  const int *reference;
};

static int define_value_body(lua_State *L) {
  struct value_definition *definition = lua_touserdata(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_builtins_key);
  if (definition->reference != NULL)
    lua_rawgeti(L, LUA_REGISTRYINDEX, *definition->reference);
  else
    lua_pushnil(L);
  lua_setfield(L, -2, definition->name);
  return 0;
}

lh_status lh_define_value(lh_host *host, const char *name, const int *reference) {
  struct value_definition definition = {name, reference};
  return lh_enter(host, define_value_body, &definition);
}
