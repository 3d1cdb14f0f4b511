#ifndef LUA_ROWS_PRIVATE_H
#define LUA_ROWS_PRIVATE_H

#include <sqlite3.h>

#include "Host.h"
#include "LuaRows.h"

// RowValues.c

/// What stands for the bytes that were bound when none were.
enum {
  /// The value is not plainly of its form: the host is asked.
  LH_BIND_OTHER = -1,
  /// SQLite would not give the column's value, or would not take it.
  LH_READ_FAILED = -2,
  LH_BIND_FAILED = -3,
};

/// Binds a column of the row that `source` stands on as it is, without a copy; gives back its
/// bytes, or what failed.
int64_t lh_bind_column(sqlite3_stmt *target, int parameter, sqlite3_stmt *source, int column);

/// Pushes a column's value as scripts see it; false, with nothing pushed, when the form does not
/// explain it.
bool lh_push_column(lua_State *L, sqlite3_stmt *source, lh_argument argument);

/// Takes the value at an index as it is, bytes without a copy; false for a table, which is taken as
/// an empty one, and for whatever else is no plain value.
bool lh_peek_value(lua_State *L, int index, lh_value *value);

/// Binds a plain value, without a copy: its bytes must stay until the row is made. Gives back how
/// many there are, or why there are none.
int64_t lh_bind_value(
    const lh_value *value, sqlite3_stmt *target, const lh_function *function);

// Rows.c

/// Pushes the plain functions, nil for each that is not, with room for a call.
void lh_push_functions(lua_State *L, const lh_function *functions, int count);

/// Begins with another row: an entry of its own, as far as the script's limits go. Gives back when
/// that was.
uint64_t lh_begin_row(lua_State *L);

// Made.c

/// Finds the results of a row from `at` on, and moves `at` behind them; NULL when there are none.
const char *lh_find_result(const lh_results *results, size_t *at, int64_t key);

/// Reads one value of a row's results; gives back where the next one is.
const char *lh_read_value(const char *result, lh_value *value);

/// Begins a row's results, or adds a value to them; false when memory is short.
bool lh_begin_result(lh_made *made, int64_t key);
bool lh_add_value(lh_made *made, const lh_value *value);
/// Ends the results that began at `start`.
void lh_end_result(lh_made *made, size_t start);

// Look.c

/// What lh_look gives; it may raise.
uint64_t lh_look_at(lua_State *L, const lh_function *functions, int count);

#endif
