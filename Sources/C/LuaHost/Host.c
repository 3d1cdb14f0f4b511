// An interpreter's life: opened into the sandbox, closed without running anything.

#include "Host.h"

#include <stdlib.h>
#include <string.h>

char lh_builtins_key, lh_libraries_key, lh_required_key, lh_record_key, lh_lock_key;

/// Opens only what the sandbox takes from: the originals are unreachable afterwards.
static int open_sandbox(lua_State *L) {
  luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
  luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
  luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
  luaL_requiref(L, LUA_UTF8LIBNAME, luaopen_utf8, 1);
  lua_settop(L, 0);
  lh_open_globals(L);
  lh_open_base(L);
  lh_open_string(L);
  lh_open_patterns(L);
  lh_open_table(L);
  lh_open_require(L);
  lh_open_text(L);
  lh_open_date(L);
  lh_open_decimal(L);
  lh_open_records(L);
  lua_newtable(L);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  // Tracebacks look here for the names of functions: the guarded ones, under their own names.
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_libraries_key);
  lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  return 0;
}

lh_host *lh_open(lh_limits limits, lh_flag *cancel) {
  lh_host *host = calloc(1, sizeof *host);
  if (host == NULL) return NULL;
  host->cancel = cancel;
  host->last_text = &host->texts;
  lh_open_pool(&host->pool);
  host->L = lua_newstate(lh_allocate, host);
  if (host->L == NULL) {
    lh_close_pool(&host->pool);
    free(host);
    return NULL;
  }
  *(lh_host **)lua_getextraspace(host->L) = host;
  lh_find_stack(host);
  lua_pushcfunction(host->L, open_sandbox);
  if (lua_pcall(host->L, 0, 0, 0) != LUA_OK) {
    lh_close(host);
    return NULL;
  }
  host->limits = limits;
  lh_begin_hooks(host);
  return host;
}

void lh_close(lh_host *host) {
  host->interval = 0;
  lua_sethook(host->L, NULL, 0, 0);
  lua_close(host->L);
  for (lh_text *text = host->texts; text != NULL;) {
    lh_text *next = text->next;
    free(text->name);
    free(text->bytes);
    free(text);
    text = next;
  }
  free(host->nodes);
  lh_close_pool(&host->pool);
  free(host);
}

const char *lh_lua_version(void) { return LUA_RELEASE; }

size_t lh_memory_used(lh_host *host) { return host->used; }
size_t lh_memory_peak(lh_host *host) { return host->peak; }
uint64_t lh_instructions_used(lh_host *host) { return host->steps; }

void lh_set_record(lh_host *host, lh_record answer) { host->answer = answer; }

void lh_set_print(lh_host *host, lh_callback say, void *context) {
  host->say = say;
  host->say_context = context;
}

lh_status lh_set_folder(lh_host *host, const char *path) {
  if (strlen(path) >= sizeof host->folder) return LH_ERROR;
  strcpy(host->folder, path);
  return LH_OK;
}

void lh_close_folder(lh_host *host) { host->closes_folder = true; }

size_t lh_source_count(lh_host *host) {
  size_t count = 0;
  for (lh_text *text = host->texts; text != NULL; text = text->next) count++;
  return count;
}

int lh_source(
    lh_host *host, size_t index, const char **name, const char **text, size_t *length) {
  lh_text *found = host->texts;
  while (found != NULL && index-- > 0) found = found->next;
  if (found == NULL) return 0;
  *name = found->name;
  *text = found->bytes;
  *length = found->length;
  return 1;
}
