// Compiling text and running a chunk once, with the write lock that follows.

#include <stdlib.h>
#include <string.h>

#include "Host.h"

struct reader {
  const char *text;
  size_t length, offset;
};

/// Hands the compiler a kilobyte at a time, so that a text which is slow to compile (a hundred
/// thousand labels) is stopped like any other loop.
static const char *read_piece(lua_State *L, void *context, size_t *size) {
  struct reader *reader = context;
  lh_host *host = lh_host_of(L);
  lh_charge(L, 1024);
  const char *piece = reader->text + reader->offset;
  size_t left = reader->length - reader->offset;
  *size = left < 1024 ? left : 1024;
  reader->offset += *size;
  for (size_t i = 0; i < *size; i++) host->loading_line += piece[i] == '\n';
  return *size == 0 ? NULL : piece;
}

static lh_text *keep_text(lua_State *L, const char *bytes, size_t length, const char *name) {
  lh_host *host = lh_host_of(L);
  lh_text *text = calloc(1, sizeof *text);
  if (text != NULL) {
    text->name = strdup(name);
    text->bytes = malloc(length + 1);
    text->length = length;
  }
  if (text == NULL || text->name == NULL || text->bytes == NULL) {
    if (text != NULL) {
      free(text->name);
      free(text->bytes);
      free(text);
    }
    luaL_error(L, "not enough memory");
    return NULL;
  }
  memcpy(text->bytes, bytes, length);
  text->bytes[length] = 0;
  *host->last_text = text;
  host->last_text = &text->next;
  return text;
}

/// Leaves the compiled chunk on the stack, with an environment of its own.
void lh_load_text(lua_State *L, const char *text, size_t length, const char *name) {
  lh_host *host = lh_host_of(L);
  if (length > LH_MAX_SOURCE)
    luaL_error(L, "'%s' is %d KiB long; a script may have 1024", name, (int)(length >> 10));
  lh_text *kept = keep_text(L, text, length, name);
  // A byte-order mark is an editor's, not a part of the text.
  size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  struct reader reader = {kept->bytes, length, mark};
  const char *outer = host->loading;
  host->loading = kept->name;
  host->loading_line = 1;
  lua_pushfstring(L, "@%s", name);
  // "t": "only text chunks"; the virtual machine does not verify bytecode.
  int status = lua_load(L, read_piece, &reader, lua_tostring(L, -1), "t");
  host->loading = outer;
  if (status != LUA_OK) {
    if (status == LUA_ERRMEM) host->stop = LH_MEMORY, lh_raise_stop(L);
    strncpy(host->source, name, sizeof host->source - 1);
    lua_error(L);
  }
  lua_remove(L, -2);
  lh_push_environment(L);
  lua_setupvalue(L, -2, 1);
}

/// Calls the chunk on top of the stack without arguments; afterwards its globals are locked.
void lh_run_chunk(lua_State *L, int results) {
  int *lock = NULL;
  if (lua_getupvalue(L, -1, 1) != NULL) {
    if (lua_getmetatable(L, -1)) {
      lua_rawgetp(L, -1, &lh_lock_key);
      lock = lua_touserdata(L, -1);
      lua_pop(L, 2);
    }
    lua_pop(L, 1);
  }
  lua_call(L, 0, results);
  // Either the chunk's functions anchor the environment, or no code can write to it any more.
  if (lock != NULL) *lock = 1;
}

struct load {
  const char *text;
  size_t length;
  const char *name;
  int *reference;
};

static int load_body(lua_State *L) {
  struct load *load = lua_touserdata(L, 1);
  lh_load_text(L, load->text, load->length, load->name);
  *load->reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

lh_status lh_load(
    lh_host *host, const char *text, size_t length, const char *name, int *reference) {
  struct load load = {text, length, name, reference};
  return lh_enter(host, load_body, &load);
}
