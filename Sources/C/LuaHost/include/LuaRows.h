#ifndef LUA_ROWS_H
#define LUA_ROWS_H

// Rows from one SQLite statement through functions of a script's into another: the loop is C's, one
// protected call for as many rows as the limits allow. What it does not know by heart it asks.
// LuaHost.h includes this at its end.

#include "LuaHost.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3_stmt;

/// How the values of an attribute lie in their column.
typedef enum lh_form {
  /// In a way that the host knows alone.
  LH_FORM_OTHER = 0,
  LH_FORM_INTEGER16,
  LH_FORM_INTEGER32,
  LH_FORM_INTEGER64,
  LH_FORM_BOOLEAN,
  LH_FORM_REAL,
  LH_FORM_FLOAT,
  LH_FORM_DATE,
  LH_FORM_DECIMAL,
  LH_FORM_TEXT,
  LH_FORM_UUID,
  LH_FORM_BYTES,
} lh_form;

/// A column of the source that goes into a parameter of the target, as it is or as the host
/// changes it.
typedef struct lh_copy {
  int column, target, is_changed;
} lh_copy;

/// A column of the source that a function is given.
typedef struct lh_argument {
  int column;
  lh_form form;
} lh_argument;

/// A function whose result goes into a parameter of the target. `is_plain` says that its arguments
/// are columns; the host calls the others itself.
typedef struct lh_function {
  int reference, is_plain, first, count;
  int target, is_optional;
  lh_form form;
} lh_function;

/// What plain functions have returned for rows already, up to the row whose key is `last`.
typedef struct lh_results {
  const char *bytes;
  size_t length;
  int64_t last;
} lh_results;

/// What the loop asks of the host; everything but 0 ends the loop, and the host knows why.
typedef struct lh_row_answers {
  void *context;
  /// An argument that the column's form does not explain.
  int (*read)(void *context, int function, int argument, lh_reply *reply);
  /// A result that is not plainly of the form: binds it, if it can be. No values: the function
  /// returned none. A table comes empty.
  int (*store)(void *context, int function, lh_values result);
  /// Binds the value of a column that is changed on its way.
  int (*change)(void *context, int copy);
  /// Calls a function that is not plain, and binds its result.
  int (*compute)(void *context, int function);
  /// The results for the row of a key and those after it; they stay where they are until the next
  /// question.
  int (*ahead)(void *context, int64_t key, lh_results *results);
  /// The target statement gives a row: it compares, and what it was given is not what is there.
  int (*differs)(void *context);
} lh_row_answers;

/// Why a loop ended.
typedef enum lh_rows_end {
  LH_ROWS_FAILED = 0,
  LH_ROWS_DONE,
  LH_ROWS_LIMIT,
  LH_ROWS_REFUSED,
  LH_ROWS_SOURCE_FAILED,
  LH_ROWS_TARGET_FAILED,
} lh_rows_end;

/// A loop, what it may do at once, and how far it has come.
typedef struct lh_rows {
  struct sqlite3_stmt *source, *target;
  const lh_copy *copies;
  int copy_count;
  const lh_function *functions;
  int function_count;
  const lh_argument *arguments;
  lh_row_answers answers;

  int64_t most_rows, most_bytes;
  uint64_t nanoseconds;

  /// Whether results are made ahead. The loop asks no more, and says so here, once a function has
  /// changed what functions can reach since `look` was taken: results made elsewhere do not know.
  int uses_results;
  uint64_t look;
  lh_results results;
  /// The results of the current row, or NULL, and where the next row's begin.
  const char *result;
  size_t results_at;
  /// Whether functions have run since the last look.
  int has_run;
  /// The rows whose results were there already.
  int64_t taken;

  /// Rows read and rows made, and about how many bytes those have.
  int64_t rows, made, bytes;
  /// When the time is up; 0 before the first row.
  uint64_t end_time;
  /// Column 0 of the current row, and the function that is at work on it, or -1.
  int64_t key;
  int function;
  lh_rows_end end;
} lh_rows;

/// Continues the loop. After LH_ERROR it can continue with the next row.
lh_status lh_run_rows(lh_host *host, lh_rows *rows);

#ifdef __cplusplus
}
#endif

#include "LuaAhead.h"

#endif
