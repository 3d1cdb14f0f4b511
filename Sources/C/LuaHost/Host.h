#ifndef LUA_HOST_PRIVATE_H
#define LUA_HOST_PRIVATE_H

#include <stdbool.h>

#if defined(SYSTEM_LUA) == defined(LUA_SOURCE)
#error "name one of the traits SystemLua and LuaSource: they say where Lua comes from"
#elif defined(LUA_SOURCE)
#include <CLuaSource.h>
#else
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#endif

#include "LuaHost.h"
#include "Pool.h"

enum {
  /// Instructions between two looks at the limits, and while there are blocks so large that a
  /// single instruction (a comparison, a concatenation, a conversion) takes milliseconds.
  LH_HOOK_INTERVAL = 256,
  LH_HOOK_INTERVAL_GIANTS = 8,
  LH_GIANT = 1 << 18,
  LH_MAX_NESTING = 200,
  /// Deeper plain data is taken for a table that contains itself.
  LH_MAX_DEPTH = 64,
  LH_MAX_NODES = 1 << 18,
  LH_MAX_SOURCE = 1 << 20,
  LH_MAX_FRAME = 15000,
  LH_MAX_RESULTS = 10000,
  LH_MESSAGE_LIMIT = 2000,
};

typedef struct lh_text {
  struct lh_text *next;
  char *name;
  char *bytes;
  size_t length;
} lh_text;

struct lh_host {
  lua_State *L;
  lh_limits limits;
  lh_flag *cancel;
  size_t used, peak, unpolled, giants;
  lh_pool pool;
  int interval;
  /// A frame grew beyond every use: a chain of __call that goes round.
  bool calls_itself;
  /// The block of Lua's stack, where this release of Lua reallocates it; see lh_find_stack.
  void *stack;
  bool finds_stack, moves_stack;

  /// 0, or the stop that has happened; never cleared.
  lh_status stop;
  uint64_t steps, deadline;
  /// Entries under way, outermost first, each with a number of its own (records expire by it).
  int depth;
  uint64_t serial, active[LH_MAX_NESTING];

  lh_value *nodes;
  size_t node_count, node_capacity;

  lh_text *texts, **last_text;
  /// The text being compiled, for errors that come before it has a call frame.
  const char *loading;
  int loading_line;

  lh_record answer;
  lh_callback say;
  void *say_context;
  char folder[4096];
  /// Whether `require` reads no more files.
  bool closes_folder;
  lh_status problem;
  int line;
  char source[1024], message[LH_MESSAGE_LIMIT + 64], traceback[4096];
};

/// Keys of the registry's private tables: their addresses are what counts.
extern char lh_builtins_key, lh_libraries_key, lh_required_key, lh_record_key, lh_lock_key;

static inline lh_host *lh_host_of(lua_State *L) { return *(lh_host **)lua_getextraspace(L); }

// Limits.c
void lh_begin_hooks(lh_host *host);
void lh_find_stack(lh_host *host);
uint64_t lh_arm(lh_host *host);
void lh_poll(lh_host *host);
void lh_charge(lua_State *L, uint64_t steps);
void lh_reserve(lua_State *L, size_t bytes);
void lh_raise_stop(lua_State *L);
void lh_note_position(lh_host *host);
const char *lh_stop_text(lh_host *host);
void lh_hook(lua_State *L, lua_Debug *activation);
void *lh_allocate(void *host, void *block, size_t old_size, size_t new_size);

// Entry.c
lh_status lh_enter(lh_host *host, lua_CFunction body, void *arguments);
bool lh_is_memory_error(lua_State *L, int status);
void lh_note_definition(lh_host *host, int reference);

// Load.c
void lh_load_text(lua_State *L, const char *text, size_t length, const char *name);
void lh_run_chunk(lua_State *L, int results);

// Values.c
int lh_raise_reply(lua_State *L, const lh_reply *reply);
void lh_push_values(lua_State *L, lh_values values);
void lh_flatten(lua_State *L, int index, int depth);
lh_values lh_flattened(lh_host *host, size_t from, size_t values);

// Order.c
int lh_compare_keys(lua_State *L, int a, int b);
void lh_sort(lua_State *L, int list, lua_Integer count, int (*precedes)(lua_State *L));
void lh_push_sorted_keys(lua_State *L, int table);

// Globals.c
void lh_open_globals(lua_State *L);
void lh_push_environment(lua_State *L);
void lh_push_library(lua_State *L, const char *name);
void lh_push_read_only(lua_State *L, int table);

// Tables.c
void lh_check_results(lua_State *L, lua_Integer from, lua_Integer to, size_t length);

// The libraries, each leaving nothing on the stack.
void lh_open_base(lua_State *L);
void lh_open_string(lua_State *L);
void lh_open_patterns(lua_State *L);
void lh_open_table(lua_State *L);
void lh_open_require(lua_State *L);
void lh_open_text(lua_State *L);
void lh_open_date(lua_State *L);
void lh_open_decimal(lua_State *L);
void lh_open_records(lua_State *L);

// Base.c
int lh_tostring(lua_State *L);
int lh_pairs(lua_State *L);
void lh_settle_nan(lua_State *L, int index);
// Search.c
const char *lh_search(
    lua_State *L, const char *subject, size_t length, const char *word, size_t word_length);
const char *lh_nearest(lua_State *L, const char *word, int table);

#endif
