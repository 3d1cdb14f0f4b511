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

/// Binds the value at an index, without a copy: it must stay anchored until the row is made. Gives
/// back its bytes, or why there are none.
int64_t lh_bind_result(lua_State *L, int index, sqlite3_stmt *target, const lh_function *function);

#endif
