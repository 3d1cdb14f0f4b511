#ifndef LUA_HOST_H
#define LUA_HOST_H

// The only way into Lua. lua.h is not included here, so no Swift code can name a function that
// leaves by longjmp: every function below is one protected call and answers with a status.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How an entry into Lua ended. All but the first two are stops: the state must be thrown away.
typedef enum lh_status {
  LH_OK = 0,
  LH_ERROR = 1,
  LH_TIME = 2,
  LH_INSTRUCTIONS = 3,
  LH_MEMORY = 4,
  LH_CANCELLED = 5,
} lh_status;

/// What one entry into Lua may use; 0 means no limit.
typedef struct lh_limits {
  size_t memory;
  uint64_t nanoseconds;
  uint64_t instructions;
} lh_limits;

typedef enum lh_kind {
  LH_NIL = 0,
  LH_BOOLEAN = 1,
  LH_INTEGER = 2,
  LH_REAL = 3,
  LH_STRING = 4,
  /// `integer` pairs follow, each a key and a value, each of them a whole tree.
  LH_TABLE = 5,
  /// A function; what a reference holds, never a value.
  LH_FUNCTION = 6,
  /// A row or another object of the host's: `object` answers for it while the call lasts.
  LH_RECORD = 7,
  /// What stays in Lua: a function, a thread, an object. The bytes are the name of its type.
  LH_OTHER = 8,
} lh_kind;

/// One node of a value written in preorder. Bytes are borrowed, never owned.
typedef struct lh_value {
  lh_kind kind;
  int64_t integer;
  double real;
  const char *bytes;
  size_t length;
  void *object;
} lh_value;

/// Values in preorder: `count` nodes that make up `values` whole values.
typedef struct lh_values {
  const lh_value *nodes;
  size_t count;
  size_t values;
} lh_values;

/// What a host function gives back: values, or an error's text (which wins). An error that says
/// its place already is raised as it is, others get the place of the call.
typedef struct lh_reply {
  lh_values values;
  const char *error;
  int has_place;
} lh_reply;

typedef struct lh_host lh_host;

/// A host function. It must copy its arguments before it calls anything of this header, and what
/// it replies with must live until it is called again.
typedef void (*lh_callback)(void *context, lh_values arguments, lh_reply *reply);

/// Receives results while they are still anchored in Lua; it must copy them and call nothing.
typedef void (*lh_sink)(void *context, lh_values results);

/// The last failure, in words. The texts are the host's and live until the next entry.
typedef struct lh_problem {
  lh_status status;
  const char *message;
  /// The chunk's name, or an empty text; the line is 0 where none is known.
  const char *source;
  int line;
  const char *traceback;
} lh_problem;

/// A flag that any thread may raise. It must outlive the hosts that watch it. It counts as raised
/// when an outer one is, which may be NULL.
typedef struct lh_flag lh_flag;
lh_flag *lh_flag_create(lh_flag *outer);
void lh_flag_raise(lh_flag *flag);
int lh_flag_is_raised(lh_flag *flag);
void lh_flag_destroy(lh_flag *flag);

/// A new interpreter in the sandbox, or NULL when memory is short.
lh_host *lh_open(lh_limits limits, lh_flag *cancel);
void lh_close(lh_host *host);

/// Adds a function to the script's world: `name`, or `module.name`.
lh_status lh_define(
    lh_host *host, const char *module, const char *name, lh_callback callback, void *context);

/// Adds what a reference holds to the world of the chunks loaded from now on; without a reference
/// the name is taken away from it.
lh_status lh_define_value(lh_host *host, const char *name, const int *reference);

/// Where `print` goes: one text a call. Without it, nowhere.
void lh_set_print(lh_host *host, lh_callback say, void *context);

/// The one folder `require` may read, an absolute path without symbolic links.
lh_status lh_set_folder(lh_host *host, const char *path);
/// From now on `require` gives what it has loaded, and reads no other file.
void lh_close_folder(lh_host *host);

/// Compiles text (never bytecode) and keeps the chunk under a reference.
lh_status lh_load(
    lh_host *host, const char *text, size_t length, const char *name, int *reference);

/// Calls a reference. The first `keep` results are kept as references in `kept`, all of them are
/// shown to `sink` when there is one.
typedef struct lh_call_options {
  lh_values arguments;
  lh_sink sink;
  void *context;
  int keep;
  int *kept;
} lh_call_options;
lh_status lh_call(lh_host *host, int reference, lh_call_options options);

/// Shows what a reference holds, copied as plain data.
lh_status lh_read(lh_host *host, int reference, lh_sink sink, void *context);

/// Keeps `reference[name]` under a reference of its own and says what kind it is.
lh_status lh_field(lh_host *host, int reference, const char *name, int *field, lh_kind *kind);

/// Shows the keys of a table, in order.
lh_status lh_keys(lh_host *host, int reference, lh_sink sink, void *context);

/// Shows a Lua function's parameter names, then 1 when it takes `...` as well, then its first and
/// its last line, then the chunk's name.
lh_status lh_parameters(lh_host *host, int reference, lh_sink sink, void *context);

void lh_release(lh_host *host, int reference);

/// Inside a host function: the chunk and line of the Lua code `level` calls up, 1 the nearest.
int lh_caller(lh_host *host, int level, const char **source, int *line);

/// "Lua 5.4.6", as the library in use was built.
const char *lh_lua_version(void);

typedef enum lh_date_result { LH_DATE_READ, LH_DATE_OTHER, LH_DATE_NO_FORM } lh_date_result;
/// Reads a text as `date.parse` does: in ISO 8601 where `form` is NULL; its bytes end with a zero.
lh_date_result lh_read_date(
    const char *bytes, size_t length, const char *form, double *seconds);

lh_problem lh_last_problem(lh_host *host);
/// Inside a host function: what the entry may use of time and instructions starts over.
void lh_rearm(lh_host *host);

size_t lh_memory_used(lh_host *host);
size_t lh_memory_peak(lh_host *host);
uint64_t lh_instructions_used(lh_host *host);

/// The texts this host has loaded, in order, those that `require` read included.
size_t lh_source_count(lh_host *host);
int lh_source(
    lh_host *host, size_t index, const char **name, const char **text, size_t *length);

/// Answers for a record: a read when `value` is NULL, otherwise a write of that one value.
typedef void (*lh_record)(void *object, const char *name, const lh_values *value, lh_reply *reply);
void lh_set_record(lh_host *host, lh_record answer);

#ifdef __cplusplus
}
#endif

// The module is all that this header reaches.
#include "LuaRows.h"

#endif
