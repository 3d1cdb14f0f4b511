// The loop that calls functions ahead of the one that needs their results.

#include "Rows.h"

/// Stack slots: the loop, its functions, then what belongs to the current row.
enum { FIRST_FUNCTION = 2 };

static bool add_result(lua_State *L, lh_ahead *ahead, const lh_function *function) {
  lh_value value;
  int top = lua_gettop(L);
  lua_pushvalue(L, FIRST_FUNCTION + ahead->function);
  for (int i = 0; i < function->count; i++)
    if (!lh_push_column(L, ahead->source, ahead->arguments[function->first + i])) return false;
  lua_call(L, function->count, LUA_MULTRET);
  return lua_gettop(L) > top && lh_peek_value(L, top + 1, &value) &&
         lh_add_value(&ahead->made, &value);
}

/// Whether all functions gave plain values for the current row; what they gave is kept then.
static bool make_result(lua_State *L, lh_ahead *ahead) {
  int top = lua_gettop(L);
  int64_t key = sqlite3_column_int64(ahead->source, 0);
  if (!lh_begin_result(&ahead->made, key)) return false;
  for (ahead->function = 0; ahead->function < ahead->function_count; ahead->function++) {
    const lh_function *function = &ahead->functions[ahead->function];
    if (!function->is_plain) continue;
    if (!add_result(L, ahead, function)) return false;
    lua_settop(L, top);
  }
  return true;
}

static int ahead_body(lua_State *L) {
  lh_ahead *ahead = lua_touserdata(L, 1);
  lh_push_functions(L, ahead->functions, ahead->function_count);
  int top = lua_gettop(L);
  while (ahead->row_start < ahead->most_bytes) {
    lua_settop(L, top);
    ahead->function = -1;
    lh_begin_row(L);
    int code = sqlite3_step(ahead->source);
    if (code != SQLITE_ROW) {
      ahead->source_failed = code != SQLITE_DONE;
      return 0;
    }
    ahead->rows++;
    if (make_result(L, ahead)) {
      lh_end_result(&ahead->made, ahead->row_start);
      ahead->row_start = ahead->made.length;
    } else {
      ahead->made.length = ahead->row_start;
    }
  }
  return 0;
}

lh_status lh_run_ahead(lh_host *host, lh_ahead *ahead) {
  int64_t before;
  lh_status status;
  do {
    before = ahead->rows;
    status = lh_enter(host, ahead_body, ahead);
    ahead->made.length = ahead->row_start;
  } while (status == LH_ERROR && ahead->rows > before);
  return status;
}
