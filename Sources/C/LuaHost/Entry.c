// The gate: every entry into Lua is one protected call through here, and every failure is put
// into words here, in C alone.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Host.h"

/// Cuts a text to a limit, between characters.
static void copy_text(char *target, size_t capacity, const char *text) {
  size_t length = strlen(text);
  if (length >= capacity) {
    length = capacity - 1;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
  }
  memcpy(target, text, length);
  target[length] = 0;
}

/// "memory error" comes with its own status, except where luaL_Buffer grows: that one raises this
/// text as an ordinary error (lauxlib.c, resizebox).
bool lh_is_memory_error(lua_State *L, int status) {
  if (status == LUA_ERRMEM) return true;
  return lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "not enough memory") == 0;
}

/// A field of a table that was raised as an error, as Lua writes it.
typedef struct {
  lua_Integer number;
  bool has_name;
  char text[120];
} field;

enum { MOST_FIELDS = 32 };

static int compare_fields(const void *a, const void *b) {
  const field *left = a, *right = b;
  if (left->has_name != right->has_name) return left->has_name ? 1 : -1;
  if (left->has_name) return strcmp(left->text, right->text);
  return (left->number > right->number) - (left->number < right->number);
}

/// Writes a value that stands on the stack; a table inside is not opened.
static void write_value(lua_State *L, int index, char *text, size_t capacity) {
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
      snprintf(text, capacity, "%s", lua_toboolean(L, index) ? "true" : "false");
      return;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index))
        snprintf(text, capacity, "%lld", (long long)lua_tointeger(L, index));
      else
        snprintf(text, capacity, "%.14g", lua_tonumber(L, index));
      return;
    case LUA_TSTRING: {
      char start[61];
      copy_text(start, sizeof start, lua_tostring(L, index));
      snprintf(text, capacity, "\"%s\"", start);
      return;
    }
    case LUA_TTABLE: snprintf(text, capacity, "{...}"); return;
    default: snprintf(text, capacity, "a %s", luaL_typename(L, index));
  }
}

/// Reads a table's fields; how many it has, of which the first are kept. lua_next calls nothing of
/// the script's.
static size_t read_fields(lua_State *L, int index, field *fields) {
  size_t count = 0;
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    if (count++ >= MOST_FIELDS) continue;
    field *found = &fields[count - 1];
    char value[80];
    write_value(L, -1, value, sizeof value);
    found->has_name = !lua_isinteger(L, -2);
    found->number = found->has_name ? 0 : lua_tointeger(L, -2);
    // lua_tostring changes a number where it stands, and lua_next would lose its way.
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
    char start[33];
    copy_text(start, sizeof start, name);
    if (found->has_name)
      snprintf(found->text, sizeof found->text, "%s = %s", start, value);
    else
      snprintf(found->text, sizeof found->text, "%s", value);
  }
  return count;
}

/// Says what a script raised that is no text: a table with its fields, `{ code = 5 }`.
static void push_error_value(lua_State *L, int index) {
  field fields[MOST_FIELDS];
  size_t count = lua_type(L, index) == LUA_TTABLE ? read_fields(L, index, fields) : 0;
  if (count == 0 || count > MOST_FIELDS) {
    lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, index));
    return;
  }
  qsort(fields, count, sizeof fields[0], compare_fields);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addstring(&buffer, "{ ");
  for (size_t i = 0; i < count; i++) {
    if (i > 0) luaL_addstring(&buffer, ", ");
    luaL_addstring(&buffer, fields[i].text);
  }
  luaL_addstring(&buffer, " }");
  luaL_pushresult(&buffer);
}

/// The only message handler there is. It runs no Lua code: a handler runs inside the hook that
/// raised the error, where hooks are off (ldo.c), so Lua code here could not be stopped.
static int describe(lua_State *L) {
  lh_host *host = lh_host_of(L);
  if (host->stop) return 1;
  if (!lua_isstring(L, 1)) {
    push_error_value(L, 1);
    lua_replace(L, 1);
  }
  lh_note_position(host);
  copy_text(host->message, LH_MESSAGE_LIMIT + 1, lua_tostring(L, 1));
  luaL_traceback(L, L, NULL, 1);
  copy_text(host->traceback, sizeof host->traceback, lua_tostring(L, -1));
  lua_settop(L, 1);
  return 1;
}

/// What follows "name:" in a message, or NULL. Of a long name Lua shows the end (lobject.c,
/// luaO_chunkid).
static const char *after_name(const char *message, const char *name) {
  size_t length = strlen(name);
  if (length >= LUA_IDSIZE) {
    if (strncmp(message, "...", 3) != 0) return NULL;
    message += 3;
    name += length - (LUA_IDSIZE - 4);
    length = LUA_IDSIZE - 4;
  }
  if (strncmp(message, name, length) != 0 || message[length] != ':') return NULL;
  return message + length + 1;
}

/// Takes "short/name.lua:5: " off a message: it says better than the running line where the error
/// is when it was raised for a caller, raised again, or found by the compiler.
static void strip_position(lh_host *host) {
  for (lh_text *text = host->texts; text != NULL; text = text->next) {
    const char *number = after_name(host->message, text->name);
    char *end = NULL;
    if (number == NULL || *number < '0' || *number > '9') continue;
    long line = strtol(number, &end, 10);
    if (end[0] != ':' || end[1] != ' ') continue;
    copy_text(host->source, sizeof host->source, text->name);
    host->line = (int)line;
    memmove(host->message, end + 2, strlen(end + 2) + 1);
    return;
  }
}

static lh_status conclude(lh_host *host, int status) {
  lua_State *L = host->L;
  if (status != LUA_OK && !host->stop && lh_is_memory_error(L, status)) host->stop = LH_MEMORY;
  if (host->stop) {
    copy_text(host->message, sizeof host->message, lh_stop_text(host));
    host->traceback[0] = 0;
    return host->problem = host->stop;
  }
  if (status == LUA_OK) return host->problem = LH_OK;
  if (host->message[0] == 0)
    copy_text(host->message, LH_MESSAGE_LIMIT,
        lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message");
  strip_position(host);
  return host->problem = LH_ERROR;
}

lh_status lh_enter(lh_host *host, lua_CFunction body, void *arguments) {
  lua_State *L = host->L;
  if (host->stop) return conclude(host, LUA_OK);
  host->message[0] = host->source[0] = host->traceback[0] = 0;
  host->line = 0;
  if (host->depth == LH_MAX_NESTING) {
    copy_text(host->message, sizeof host->message, "scripts and host functions nest too deeply");
    return host->problem = LH_ERROR;
  }
  int base = lua_gettop(L);
  size_t nodes = host->node_count;
  if (host->depth == 0) lh_arm(host);
  host->active[host->depth++] = ++host->serial;
  lua_pushcfunction(L, describe);
  lua_pushcfunction(L, body);
  lua_pushlightuserdata(L, arguments);
  int status = lua_pcall(L, 1, 0, base + 1);
  host->depth--;
  lh_status result = conclude(host, status);
  host->node_count = nodes;
  lua_settop(L, base);
  return result;
}

lh_problem lh_last_problem(lh_host *host) {
  lh_problem problem = {host->problem, host->message, host->source, host->line, host->traceback};
  return problem;
}

struct call {
  int reference;
  lh_call_options options;
};

static int call_body(lua_State *L) {
  struct call *call = lua_touserdata(L, 1);
  lh_host *host = lh_host_of(L);
  lh_call_options *options = &call->options;
  lua_rawgeti(L, LUA_REGISTRYINDEX, call->reference);
  lh_push_values(L, options->arguments);
  if (options->arguments.values == 0 && lua_isfunction(L, 2))
    lh_run_chunk(L, LUA_MULTRET);
  else
    lua_call(L, (int)options->arguments.values, LUA_MULTRET);
  if (host->stop) lh_raise_stop(L);
  int results = lua_gettop(L) - 1;
  if (results > LH_MAX_RESULTS) return luaL_error(L, "%d results are too many", results);
  luaL_checkstack(L, 10, NULL);
  if (options->sink != NULL) {
    size_t from = host->node_count;
    for (int i = 0; i < results; i++) lh_flatten(L, 2 + i, 0);
    options->sink(options->context, lh_flattened(host, from, (size_t)results));
    host->node_count = from;
  }
  for (int i = 0; i < options->keep; i++) {
    lua_pushvalue(L, 2 + i);
    if (i >= results) lua_pushnil(L);
    options->kept[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  return 0;
}

/// The file at least, where the stop came while no frame could be looked at; raises nothing.
void lh_note_definition(lh_host *host, int reference) {
  lua_Debug about;
  if (host->source[0] != 0) return;
  if (lua_rawgeti(host->L, LUA_REGISTRYINDEX, reference) != LUA_TFUNCTION) {
    lua_pop(host->L, 1);
    return;
  }
  lua_getinfo(host->L, ">S", &about);
  const char *name = about.source[0] == '@' ? about.source + 1 : about.source;
  copy_text(host->source, sizeof host->source, name);
}

lh_status lh_call(lh_host *host, int reference, lh_call_options options) {
  struct call call = {reference, options};
  lh_status status = lh_enter(host, call_body, &call);
  if (status > LH_ERROR) lh_note_definition(host, reference);
  return status;
}

struct look {
  int reference;
  const char *name;
  int *field;
  lh_kind *kind;
  lh_sink sink;
  void *context;
};

static void show(lua_State *L, struct look *look, size_t from, size_t values) {
  lh_host *host = lh_host_of(L);
  look->sink(look->context, lh_flattened(host, from, values));
  host->node_count = from;
}

static int read_body(lua_State *L) {
  struct look *look = lua_touserdata(L, 1);
  size_t from = lh_host_of(L)->node_count;
  lua_rawgeti(L, LUA_REGISTRYINDEX, look->reference);
  lh_flatten(L, 2, 0);
  show(L, look, from, 1);
  return 0;
}

lh_status lh_read(lh_host *host, int reference, lh_sink sink, void *context) {
  struct look look = {reference, NULL, NULL, NULL, sink, context};
  return lh_enter(host, read_body, &look);
}

static lh_kind kind_of(lua_State *L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN: return LH_BOOLEAN;
    case LUA_TNUMBER: return lua_isinteger(L, index) ? LH_INTEGER : LH_REAL;
    case LUA_TSTRING: return LH_STRING;
    case LUA_TTABLE: return LH_TABLE;
    case LUA_TFUNCTION: return LH_FUNCTION;
    case LUA_TUSERDATA: return LH_RECORD;
    default: return LH_NIL;
  }
}

static int field_body(lua_State *L) {
  struct look *look = lua_touserdata(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, look->reference);
  if (look->name != NULL) {
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushstring(L, look->name);
    lua_rawget(L, 2);
  }
  *look->kind = kind_of(L, -1);
  *look->field = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

lh_status lh_field(lh_host *host, int reference, const char *name, int *field, lh_kind *kind) {
  struct look look = {reference, name, field, kind, NULL, NULL};
  return lh_enter(host, field_body, &look);
}

static int keys_body(lua_State *L) {
  struct look *look = lua_touserdata(L, 1);
  size_t from = lh_host_of(L)->node_count;
  lua_rawgeti(L, LUA_REGISTRYINDEX, look->reference);
  luaL_checktype(L, 2, LUA_TTABLE);
  lh_push_sorted_keys(L, 2);
  size_t count = lua_rawlen(L, 3);
  for (size_t i = 1; i <= count; i++) {
    lua_rawgeti(L, 3, (lua_Integer)i);
    lh_flatten(L, 4, 0);
    lua_settop(L, 3);
  }
  show(L, look, from, count);
  return 0;
}

lh_status lh_keys(lh_host *host, int reference, lh_sink sink, void *context) {
  struct look look = {reference, NULL, NULL, NULL, sink, context};
  return lh_enter(host, keys_body, &look);
}

static int parameters_body(lua_State *L) {
  struct look *look = lua_touserdata(L, 1);
  size_t from = lh_host_of(L)->node_count, count = 0;
  lua_Debug about;
  lua_rawgeti(L, LUA_REGISTRYINDEX, look->reference);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_getinfo(L, ">Su", &about);
  lua_pushvalue(L, 2);
  // "In the second case, ar must be NULL and the function must be on the top of the stack";
  // only parameters of Lua functions are visible then.
  const char *name;
  for (int i = 1; i <= about.nparams && (name = lua_getlocal(L, NULL, i)) != NULL; i++) {
    lua_pushstring(L, name);
    lh_flatten(L, -1, 0);
    lua_pop(L, 1);
    lua_pushvalue(L, 2);
    count++;
  }
  lua_pushinteger(L, about.isvararg);
  lh_flatten(L, -1, 0);
  lua_pushinteger(L, about.linedefined);
  lh_flatten(L, -1, 0);
  lua_pushinteger(L, about.lastlinedefined);
  lh_flatten(L, -1, 0);
  lua_pushstring(L, about.source[0] == '@' ? about.source + 1 : about.source);
  lh_flatten(L, -1, 0);
  show(L, look, from, count + 4);
  return 0;
}

lh_status lh_parameters(lh_host *host, int reference, lh_sink sink, void *context) {
  struct look look = {reference, NULL, NULL, NULL, sink, context};
  return lh_enter(host, parameters_body, &look);
}

void lh_release(lh_host *host, int reference) {
  // luaL_unref writes into slots that the registry has already: it allocates nothing.
  luaL_unref(host->L, LUA_REGISTRYINDEX, reference);
}

int lh_caller(lh_host *host, int level, const char **source, int *line) {
  lua_Debug frame;
  for (int i = 0; lua_getstack(host->L, i, &frame); i++) {
    lua_getinfo(host->L, "Sl", &frame);
    if (frame.currentline <= 0 || --level > 0) continue;
    *source = frame.source[0] == '@' ? frame.source + 1 : frame.source;
    *line = frame.currentline;
    return 1;
  }
  return 0;
}
