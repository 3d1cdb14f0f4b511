// The row loop. Functions stay on Lua's stack for the whole of it, results until their row is made:
// SQLite is given their bytes without a copy.

#include "Rows.h"

/// Stack slots: the loop, its functions, then what belongs to the current row.
enum { FIRST_FUNCTION = 2 };

void lh_push_functions(lua_State *L, const lh_function *functions, int count) {
  int most = 0;
  for (int i = 0; i < count; i++)
    if (functions[i].count > most) most = functions[i].count;
  luaL_checkstack(L, 2 * count + most + LUA_MINSTACK, "too many functions");
  for (int i = 0; i < count; i++) {
    if (functions[i].is_plain)
      lua_rawgeti(L, LUA_REGISTRYINDEX, functions[i].reference);
    else
      lua_pushnil(L);
  }
}

/// Runs `answer`, which asks the host, and notes when that ends the loop.
static bool agrees(lua_State *L, lh_rows *rows, int answer) {
  if (lh_host_of(L)->stop) lh_raise_stop(L);
  if (answer != 0) rows->end = LH_ROWS_REFUSED;
  return answer == 0;
}

/// Counts what was bound, or notes what ends the loop.
static bool counts(lh_rows *rows, int64_t bytes) {
  if (bytes < 0)
    rows->end = bytes == LH_READ_FAILED ? LH_ROWS_SOURCE_FAILED : LH_ROWS_TARGET_FAILED;
  else
    rows->bytes += bytes;
  return bytes >= 0;
}

static bool push_argument(lua_State *L, lh_rows *rows, int place) {
  const lh_function *function = &rows->functions[rows->function];
  if (lh_push_column(L, rows->source, rows->arguments[function->first + place])) return true;
  lh_row_answers *host = &rows->answers;
  lh_reply reply = {{NULL, 0, 0}, NULL, 0};
  if (!agrees(L, rows, host->read(host->context, rows->function, place, &reply))) return false;
  lh_push_values(L, reply.values);
  return true;
}

/// Has the host store a result that is not plainly of the form.
static bool store_other(lua_State *L, lh_rows *rows, lh_values result) {
  lh_row_answers *host = &rows->answers;
  return agrees(L, rows, host->store(host->context, rows->function, result));
}

/// Stores the first of the results above `top`; where there is none, the host says what is wrong.
static bool store_result(lua_State *L, lh_rows *rows, int top) {
  lh_value value;
  lh_values result = {&value, 0, 0};
  int results = lua_gettop(L) - top;
  if (results == 0) return store_other(L, rows, result);
  if (results > 1) lua_settop(L, top + 1);
  if (lh_peek_value(L, -1, &value)) {
    if (value.kind == LH_STRING) lh_charge(L, 1 + value.length / 16);
    const lh_function *function = &rows->functions[rows->function];
    int64_t bytes = lh_bind_value(&value, rows->target, function);
    if (bytes != LH_BIND_OTHER) return counts(rows, bytes);
  }
  result.count = result.values = 1;
  return store_other(L, rows, result);
}

/// Stores what the function at work has returned elsewhere.
static bool store_made(lua_State *L, lh_rows *rows) {
  lh_value value;
  rows->result = lh_read_value(rows->result, &value);
  int64_t bytes = lh_bind_value(&value, rows->target, &rows->functions[rows->function]);
  if (bytes != LH_BIND_OTHER) return counts(rows, bytes);
  lh_values result = {&value, 1, 1};
  return store_other(L, rows, result);
}

static bool compute(lua_State *L, lh_rows *rows) {
  const lh_function *function = &rows->functions[rows->function];
  lh_row_answers *host = &rows->answers;
  if (function->is_plain && rows->result != NULL) return store_made(L, rows);
  rows->has_run = 1;
  if (!function->is_plain)
    return agrees(L, rows, host->compute(host->context, rows->function));
  int top = lua_gettop(L);
  lua_pushvalue(L, FIRST_FUNCTION + rows->function);
  for (int i = 0; i < function->count; i++)
    if (!push_argument(L, rows, i)) return false;
  // With one result asked for, none would be nil.
  lua_call(L, function->count, LUA_MULTRET);
  return store_result(L, rows, top);
}

/// Finds what the plain functions have returned for the current row, if they have.
static bool find_result(lua_State *L, lh_rows *rows) {
  rows->result = NULL;
  if (!rows->uses_results) return true;
  if (rows->key > rows->results.last) {
    lh_row_answers *host = &rows->answers;
    rows->results_at = 0;
    if (!agrees(L, rows, host->ahead(host->context, rows->key, &rows->results))) return false;
    // What the script was waited for is not its time.
    lh_arm(lh_host_of(L));
  }
  rows->result = lh_find_result(&rows->results, &rows->results_at, rows->key);
  if (rows->result == NULL) return true;
  if (rows->has_run) {
    rows->has_run = 0;
    rows->uses_results = lh_look_at(L, rows->functions, rows->function_count) == rows->look;
    if (!rows->uses_results) rows->result = NULL;
  }
  rows->taken += rows->uses_results;
  return true;
}

static bool bind_copy(lua_State *L, lh_rows *rows, int place) {
  const lh_copy *copy = &rows->copies[place];
  if (copy->is_changed)
    return agrees(L, rows, rows->answers.change(rows->answers.context, place));
  return counts(rows, lh_bind_column(rows->target, copy->target, rows->source, copy->column));
}

static bool make_row(lua_State *L, lh_rows *rows) {
  if (!find_result(L, rows)) return false;
  for (rows->function = 0; rows->function < rows->function_count; rows->function++)
    if (!compute(L, rows)) return false;
  rows->function = -1;
  for (int i = 0; i < rows->copy_count; i++)
    if (!bind_copy(L, rows, i)) return false;
  int code = sqlite3_step(rows->target);
  bool goes_on = code == SQLITE_DONE;
  if (code == SQLITE_ROW)
    goes_on = agrees(L, rows, rows->answers.differs(rows->answers.context));
  else if (!goes_on)
    rows->end = LH_ROWS_TARGET_FAILED;
  sqlite3_reset(rows->target);
  rows->made += goes_on;
  return goes_on;
}

uint64_t lh_begin_row(lua_State *L) {
  lh_host *host = lh_host_of(L);
  uint64_t start = lh_arm(host);
  if (host->cancel != NULL && lh_flag_is_raised(host->cancel)) lh_poll(host);
  if (host->stop) lh_raise_stop(L);
  return start;
}

/// Whether the limits allow for another row.
static bool may_go_on(lua_State *L, lh_rows *rows) {
  uint64_t start = lh_begin_row(L);
  if (rows->end_time == 0) rows->end_time = start + rows->nanoseconds;
  if (rows->rows == 0) return true;
  return rows->rows < rows->most_rows && rows->bytes < rows->most_bytes && start < rows->end_time;
}

static int rows_body(lua_State *L) {
  lh_rows *rows = lua_touserdata(L, 1);
  lh_push_functions(L, rows->functions, rows->function_count);
  int top = lua_gettop(L);
  do {
    lua_settop(L, top);
    rows->function = -1;
    if (!may_go_on(L, rows)) {
      rows->end = LH_ROWS_LIMIT;
      return 0;
    }
    int code = sqlite3_step(rows->source);
    if (code != SQLITE_ROW) {
      rows->end = code == SQLITE_DONE ? LH_ROWS_DONE : LH_ROWS_SOURCE_FAILED;
      return 0;
    }
    rows->rows++;
    rows->key = sqlite3_column_int64(rows->source, 0);
  } while (make_row(L, rows));
  return 0;
}

lh_status lh_run_rows(lh_host *host, lh_rows *rows) {
  rows->end = LH_ROWS_FAILED;
  lh_status status = lh_enter(host, rows_body, rows);
  if (status > LH_ERROR && rows->function >= 0)
    lh_note_definition(host, rows->functions[rows->function].reference);
  // What was bound without a copy is gone. An error leaves the statement where it stood.
  sqlite3_reset(rows->target);
  sqlite3_clear_bindings(rows->target);
  return status;
}
