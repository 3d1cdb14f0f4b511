#ifndef LUA_AHEAD_H
#define LUA_AHEAD_H

// Rows whose functions are called ahead of the loop that makes the new rows, by another interpreter
// of the same script on another thread. What fails, or is no plain value, is left to that loop: so
// it alone decides the order of errors and what is reported of them.
// LuaRows.h includes this at its end.

#include "LuaRows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What plain functions returned, row after row in the order of their keys.
typedef struct lh_made {
  char *bytes;
  size_t length, capacity;
} lh_made;
void lh_made_free(lh_made *made);

/// A loop that calls the plain functions of rows and keeps what they return.
typedef struct lh_ahead {
  struct sqlite3_stmt *source;
  const lh_function *functions;
  int function_count;
  const lh_argument *arguments;

  lh_made made;
  /// Beyond these bytes the rows that follow are left out.
  size_t most_bytes;

  int64_t rows;
  /// Where the current row begins in what is made, and the function at work on it, or -1.
  size_t row_start;
  int function;
  /// Whether SQLite refused to read.
  int source_failed;
} lh_ahead;

/// Runs the loop to the end of its rows, whatever the functions do: a row that one of them fails
/// for is left out. Anything but LH_OK is a stop, and the rows from there on are left out.
lh_status lh_run_ahead(lh_host *host, lh_ahead *ahead);

/// A number that changes when a plain function has changed anything that it can reach, so that a
/// later call might give another result; 0 when there is too much to look at.
lh_status lh_look(lh_host *host, const lh_function *functions, int count, uint64_t *look);

#ifdef __cplusplus
}
#endif
#endif
