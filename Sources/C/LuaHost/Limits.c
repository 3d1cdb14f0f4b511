// What a script may use, and how it is stopped. A stop is latched: from then on every instruction
// raises, no pcall can swallow it, and the state is good for nothing but to be closed.

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "Host.h"
#include "platform.h"

struct lh_flag {
  atomic_int raised;
  lh_flag *outer;
};

lh_flag *lh_flag_create(lh_flag *outer) {
  lh_flag *flag = calloc(1, sizeof *flag);
  if (flag != NULL) flag->outer = outer;
  return flag;
}

void lh_flag_raise(lh_flag *flag) { atomic_store(&flag->raised, 1); }

int lh_flag_is_raised(lh_flag *flag) {
  for (; flag != NULL; flag = flag->outer)
    if (atomic_load(&flag->raised)) return 1;
  return 0;
}

void lh_flag_destroy(lh_flag *flag) { free(flag); }

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(LIMIT_CLOCK, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/// Starts counting from zero; gives back the time of the start.
uint64_t lh_arm(lh_host *host) {
  host->steps = 0;
  host->unpolled = 0;
  uint64_t start = now(), left = UINT64_MAX - start;
  host->deadline = start + (host->limits.nanoseconds < left ? host->limits.nanoseconds : left);
  return start;
}

void lh_rearm(lh_host *host) { lh_arm(host); }

const char *lh_stop_text(lh_host *host) {
  switch (host->stop) {
    case LH_TIME: return "stopped: its time limit is used up";
    case LH_INSTRUCTIONS: return "stopped: its instruction limit is used up";
    case LH_MEMORY:
      return host->calls_itself ? "stopped: a call with too many values, or a table's __call that "
                                  "leads back to the table"
                                : "stopped: its memory limit is used up";
    case LH_CANCELLED: return "stopped: cancelled";
    default: return "stopped";
  }
}

/// Later releases of Lua 5.4 turn all pointers into the stack into offsets while they reallocate it
/// (ldo.c, luaD_reallocstack): the allocator must not look at the frames then. Growing the stack on
/// purpose shows whether this is such a release, and which block it is.
void lh_find_stack(lh_host *host) {
  host->finds_stack = true;
  lua_checkstack(host->L, 10 * LUA_MINSTACK);
  host->finds_stack = false;
}

/// Remembers where the script is. Reads only the call frames, so the allocator may call it too.
void lh_note_position(lh_host *host) {
  lua_Debug frame;
  if (host->moves_stack) return;
  for (int level = 0; host->L && lua_getstack(host->L, level, &frame); level++) {
    lua_getinfo(host->L, "Sl", &frame);
    if (frame.currentline <= 0) continue;
    const char *name = frame.source[0] == '@' ? frame.source + 1 : frame.source;
    strncpy(host->source, name, sizeof host->source - 1);
    host->line = frame.currentline;
    return;
  }
  if (host->loading) {
    strncpy(host->source, host->loading, sizeof host->source - 1);
    host->line = host->loading_line;
  }
}

static void latch(lh_host *host, lh_status stop) {
  host->stop = stop;
  lh_note_position(host);
  // "lua_sethook ... can be called during a signal" (ldebug.c): from here on the hook runs at every
  // instruction, so a loop of pcalls cannot continue.
  lua_sethook(host->L, lh_hook, LUA_MASKCOUNT, 1);
}

/// Looks at the limits and latches a stop; raises nothing.
void lh_poll(lh_host *host) {
  if (host->stop || host->depth == 0) return;
  if (host->cancel && lh_flag_is_raised(host->cancel))
    latch(host, LH_CANCELLED);
  else if (host->limits.instructions && host->steps > host->limits.instructions)
    latch(host, LH_INSTRUCTIONS);
  else if (host->limits.nanoseconds && now() > host->deadline)
    latch(host, LH_TIME);
}

void lh_raise_stop(lua_State *L) {
  if (lh_host_of(L)->line == 0) lh_note_position(lh_host_of(L));
  lua_pushstring(L, lh_stop_text(lh_host_of(L)));
  lua_error(L);
}

/// Counts work done in C as instructions, so that no library function is free.
void lh_charge(lua_State *L, uint64_t steps) {
  lh_host *host = lh_host_of(L);
  uint64_t before = host->steps / LH_HOOK_INTERVAL;
  host->steps += steps;
  if (host->steps / LH_HOOK_INTERVAL == before) return;
  lh_poll(host);
  if (host->stop) lh_raise_stop(L);
}

static void set_interval(lh_host *host, int interval) {
  host->interval = interval;
  lua_sethook(host->L, lh_hook, LUA_MASKCOUNT, interval);
}

void lh_hook(lua_State *L, lua_Debug *activation) {
  (void)activation;
  lh_host *host = lh_host_of(L);
  host->steps += (uint64_t)host->interval;
  lh_poll(host);
  if (host->stop) lh_raise_stop(L);
  if (host->giants == 0 && host->interval != LH_HOOK_INTERVAL)
    set_interval(host, LH_HOOK_INTERVAL);
}

void lh_begin_hooks(lh_host *host) { set_interval(host, LH_HOOK_INTERVAL); }

/// Setting a hook resets its count, so only the hook itself makes the interval longer.
static void count_giants(lh_host *host, size_t old_size, size_t new_size) {
  host->giants += new_size >= LH_GIANT;
  host->giants -= old_size >= LH_GIANT;
  if (host->giants != 0 && host->interval == LH_HOOK_INTERVAL && !host->stop)
    set_interval(host, LH_HOOK_INTERVAL_GIANTS);
}

/// Collects garbage before a large buffer is made: luaL_Buffer fails at once where the
/// interpreter's own allocations would collect and try again.
void lh_reserve(lua_State *L, size_t bytes) {
  lh_host *host = lh_host_of(L);
  lh_charge(L, bytes / 64);
  if (host->limits.memory == 0 || host->used + 2 * bytes < host->limits.memory) return;
  lh_charge(L, host->used / 64);
  lua_gc(L, LUA_GCCOLLECT);
  if (host->used + bytes < host->limits.memory) return;
  luaL_error(L, "the result would take %d KiB, which is more than the script's memory limit leaves",
      (int)(bytes >> 10));
}

/// A table whose __call is a table, and so on round, makes Lua insert an argument for each step and
/// move all that are there (ldo.c, luaD_tryfuncTM): minutes in C, where no hook fires. Only such a
/// frame holds so many values (what could pass on as many has a limit of its own), and it is seen
/// when the stack must grow for it.
static bool refuses_frame(lh_host *host, size_t growth) {
  if (growth < 1 << 18 || host->L == NULL || host->depth == 0) return false;
  return host->calls_itself = lua_gettop(host->L) > LH_MAX_FRAME;
}

static void *refuse(lh_host *host) {
  lh_note_position(host);
  // Lua collects garbage and tries again; near the limit that can be each instruction's only work.
  lh_poll(host);
  host->moves_stack = false;
  return NULL;
}

/// lua_Alloc: "when ptr is NULL, osize encodes the kind of object", so it is no size then.
void *lh_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  lh_host *host = context;
  if (block == NULL) old_size = 0;
  if (new_size == 0) {
    if (block != NULL) lh_give_back(&host->pool, block, old_size);
    host->used -= old_size;
    if (old_size >= LH_GIANT) count_giants(host, old_size, 0);
    return NULL;
  }
  size_t growth = new_size > old_size ? new_size - old_size : 0;
  bool full = host->limits.memory && host->used + growth > host->limits.memory;
  host->moves_stack = block != NULL && (block == host->stack || host->finds_stack);
  if (growth && (full || refuses_frame(host, growth))) return refuse(host);
  void *grown = lh_resize(&host->pool, block, old_size, new_size);
  if (grown == NULL) return refuse(host);
  if (host->moves_stack) host->stack = grown;
  host->used = host->used - old_size + new_size;
  if (host->used > host->peak) host->peak = host->used;
  if (old_size >= LH_GIANT || new_size >= LH_GIANT) count_giants(host, old_size, new_size);
  // Instructions that copy megabytes are few; their bytes are what shows that time is passing.
  host->unpolled += growth;
  if (host->unpolled > 1 << 20) {
    host->unpolled = 0;
    lh_poll(host);
  }
  host->moves_stack = false;
  return grown;
}
