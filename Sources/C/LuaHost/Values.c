// Plain values across the border, in preorder: Lua to nodes, nodes to Lua.

#include <stdlib.h>
#include <string.h>

#include "Host.h"

static lh_value *add_node(lua_State *L, lh_kind kind) {
  lh_host *host = lh_host_of(L);
  lh_charge(L, 1);
  if (host->node_count >= LH_MAX_NODES)
    luaL_error(L, "a value of more than %d parts is too large", LH_MAX_NODES);
  if (host->node_count == host->node_capacity) {
    size_t capacity = host->node_capacity ? host->node_capacity * 2 : 64;
    lh_value *nodes = realloc(host->nodes, capacity * sizeof *nodes);
    if (nodes == NULL) luaL_error(L, "not enough memory");
    host->nodes = nodes;
    host->node_capacity = capacity;
  }
  lh_value *node = &host->nodes[host->node_count++];
  *node = (lh_value){.kind = kind};
  return node;
}

static void flatten_table(lua_State *L, int index, int depth) {
  lh_host *host = lh_host_of(L);
  if (depth == LH_MAX_DEPTH)
    luaL_error(L, "a table is nested more than %d deep, or contains itself", LH_MAX_DEPTH);
  luaL_checkstack(L, 4, "a table is nested too deeply");
  add_node(L, LH_TABLE);
  size_t at = host->node_count - 1;
  int64_t pairs = 0;
  for (lua_pushnil(L); lua_next(L, index) != 0; pairs++) {
    int key = lua_gettop(L) - 1;
    int type = lua_type(L, key);
    if (type != LUA_TSTRING && !lua_isinteger(L, key))
      luaL_error(L, "a key of type %s cannot be kept; keys are texts and integers",
          luaL_typename(L, key));
    lh_flatten(L, key, depth + 1);
    lh_flatten(L, key + 1, depth + 1);
    lua_settop(L, key);
  }
  host->nodes[at].integer = pairs;
}

/// Appends the value at an absolute index. Strings are borrowed: the value must stay anchored.
void lh_flatten(lua_State *L, int index, int depth) {
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
    case LUA_TNIL: add_node(L, LH_NIL); break;
    case LUA_TBOOLEAN: add_node(L, LH_BOOLEAN)->integer = lua_toboolean(L, index); break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index))
        add_node(L, LH_INTEGER)->integer = lua_tointeger(L, index);
      else
        add_node(L, LH_REAL)->real = lua_tonumber(L, index);
      break;
    case LUA_TSTRING: {
      lh_value *node = add_node(L, LH_STRING);
      node->bytes = lua_tolstring(L, index, &node->length);
      lh_charge(L, node->length / 16);
      break;
    }
    case LUA_TTABLE: flatten_table(L, index, depth); break;
    default: {
      const char *type = luaL_typename(L, index);
      if (depth > 0) luaL_error(L, "a %s cannot be kept as plain data", type);
      lh_value *node = add_node(L, LH_OTHER);
      node->bytes = type;
      node->length = strlen(type);
    }
  }
}

lh_values lh_flattened(lh_host *host, size_t from, size_t values) {
  lh_values flattened = {host->nodes + from, host->node_count - from, values};
  return flattened;
}

struct record {
  void *object;
  int depth;
  uint64_t serial;
};

static void push_record(lua_State *L, void *object) {
  lh_host *host = lh_host_of(L);
  struct record *record = lua_newuserdatauv(L, sizeof *record, 0);
  record->object = object;
  record->depth = host->depth - 1;
  record->serial = host->active[record->depth];
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_record_key);
  lua_setmetatable(L, -2);
}

static const lh_value *push_tree(lua_State *L, const lh_value *node, const lh_value *end) {
  if (node == end) luaL_error(L, "the host passed an incomplete value");
  luaL_checkstack(L, 4, "a table is nested too deeply");
  const lh_value *next = node + 1;
  lh_charge(L, 1 + node->length / 16);
  switch (node->kind) {
    case LH_NIL: lua_pushnil(L); break;
    case LH_BOOLEAN: lua_pushboolean(L, node->integer != 0); break;
    case LH_INTEGER: lua_pushinteger(L, node->integer); break;
    case LH_REAL: lua_pushnumber(L, node->real); break;
    case LH_STRING: lua_pushlstring(L, node->bytes, node->length); break;
    case LH_TABLE:
      lua_newtable(L);
      for (int64_t i = 0; i < node->integer; i++) {
        next = push_tree(L, next, end);
        next = push_tree(L, next, end);
        lua_rawset(L, -3);
      }
      break;
    case LH_RECORD: push_record(L, node->object); break;
    case LH_FUNCTION:
    case LH_OTHER: luaL_error(L, "what stays in Lua cannot be passed to a script");
  }
  return next;
}

void lh_push_values(lua_State *L, lh_values values) {
  const lh_value *node = values.nodes, *end = values.nodes + values.count;
  for (size_t i = 0; i < values.values; i++) node = push_tree(L, node, end);
}

// A record expires with its call (the number of the entry it was made for is no longer the one
// under way): what a script keeps of it is a clear error, not another row's value.

static struct record *check_record(lua_State *L) {
  lh_host *host = lh_host_of(L);
  struct record *record = lua_touserdata(L, 1);
  if (record->depth >= host->depth || host->active[record->depth] != record->serial)
    luaL_error(L, "this object was kept after its call; copy the values you need out of it");
  return record;
}

int lh_raise_reply(lua_State *L, const lh_reply *reply) {
  if (reply->has_place)
    lua_pushliteral(L, "");
  else
    luaL_where(L, 1);
  lua_pushstring(L, reply->error);
  lua_concat(L, 2);
  return lua_error(L);
}

static int answer(lua_State *L, int results) {
  lh_host *host = lh_host_of(L);
  struct record *record = check_record(L);
  const char *name = luaL_checkstring(L, 2);
  lh_reply reply = {{NULL, 0, 0}, NULL, 0};
  if (results == 0) {
    size_t from = host->node_count;
    lh_flatten(L, 3, 0);
    lh_values value = lh_flattened(host, from, 1);
    host->answer(record->object, name, &value, &reply);
    host->node_count = from;
  } else {
    host->answer(record->object, name, NULL, &reply);
  }
  if (reply.error != NULL) return lh_raise_reply(L, &reply);
  if (results > 0) lh_push_values(L, reply.values);
  return results;
}

static int record_read(lua_State *L) { return answer(L, 1); }
static int record_write(lua_State *L) { return answer(L, 0); }

void lh_open_records(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, record_read);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, record_write);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &lh_record_key);
}
