// M2 in C, the transform in Lua (or in C as well): values go in as arguments, and come out as
// results.
//
// m2 lua|c SOURCE RESULT FOLDER SCRIPTS
#include <ctype.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 6, NAME = 6, NOTE = 7, PRICE = 8 };

static sqlite3 *db;

static void fail(const char *what) {
  fprintf(stderr, "m2: %s: %s\n", what, sqlite3_errmsg(db));
  exit(1);
}

static char *text_of(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  char *text = calloc(1, 65536);
  if (!file || !text || !fread(text, 1, 65535, file)) fail(path);
  fclose(file);
  return text;
}

static void run(const char *sql) {
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) fail(sql);
  return statement;
}

static void bind_column(sqlite3_stmt *to, int parameter, sqlite3_stmt *from, int column) {
  switch (sqlite3_column_type(from, column)) {
  case SQLITE_INTEGER: sqlite3_bind_int64(to, parameter, sqlite3_column_int64(from, column)); break;
  case SQLITE_FLOAT: sqlite3_bind_double(to, parameter, sqlite3_column_double(from, column)); break;
  case SQLITE_TEXT: {
    const char *text = (const char *)sqlite3_column_text(from, column);
    sqlite3_bind_text(to, parameter, text, sqlite3_column_bytes(from, column), SQLITE_STATIC);
    break;
  }
  default: sqlite3_bind_null(to, parameter);
  }
}

static void push_column(lua_State *lua, sqlite3_stmt *from, int column) {
  switch (sqlite3_column_type(from, column)) {
  case SQLITE_INTEGER: lua_pushinteger(lua, sqlite3_column_int64(from, column)); break;
  case SQLITE_TEXT: {
    const char *text = (const char *)sqlite3_column_text(from, column);
    lua_pushlstring(lua, text, (size_t)sqlite3_column_bytes(from, column));
    break;
  }
  default: lua_pushnil(lua);
  }
}

static void bind_result(sqlite3_stmt *to, int parameter, lua_State *lua, int index) {
  size_t length;
  const char *text = lua_tolstring(lua, index, &length);
  if (text) sqlite3_bind_text(to, parameter, text, (int)length, SQLITE_STATIC);
  else sqlite3_bind_null(to, parameter);
}

static void by_lua(lua_State *lua, sqlite3_stmt *from, sqlite3_stmt *to) {
  lua_settop(lua, 1);
  lua_pushvalue(lua, 1);
  push_column(lua, from, NAME);
  push_column(lua, from, NOTE);
  push_column(lua, from, PRICE);
  if (lua_pcall(lua, 3, 4, 0) != LUA_OK) fail(lua_tostring(lua, -1));
  for (int result = 0; result < 4; result++) bind_result(to, KEPT + 1 + result, lua, 2 + result);
}

static void name_by_c(sqlite3_stmt *from, sqlite3_stmt *to) {
  const char *name = (const char *)sqlite3_column_text(from, NAME);
  int length = sqlite3_column_bytes(from, NAME);
  const char *blank = name ? memchr(name, ' ', (size_t)length) : NULL;
  int first = blank ? (int)(blank - name) : length;
  sqlite3_bind_text(to, KEPT + 1, name, first, SQLITE_STATIC);
  sqlite3_bind_text(to, KEPT + 2, blank ? blank + 1 : NULL, length - first - 1, SQLITE_STATIC);
}

static void note_by_c(sqlite3_stmt *from, sqlite3_stmt *to) {
  static char tidy[4096];
  const char *note = (const char *)sqlite3_column_text(from, NOTE);
  int length = sqlite3_column_bytes(from, NOTE);
  while (length && isspace((unsigned char)note[0])) note++, length--;
  while (length && isspace((unsigned char)note[length - 1])) length--;
  if (length > (int)sizeof tidy) fail("a long note");
  if (note) memcpy(tidy, note, (size_t)length);
  if (length) tidy[0] = (char)toupper((unsigned char)tidy[0]);
  sqlite3_bind_text(to, KEPT + 3, note ? tidy : NULL, length, SQLITE_STATIC);
}

static void by_c(sqlite3_stmt *from, sqlite3_stmt *to) {
  static char text[32];
  name_by_c(from, to);
  note_by_c(from, to);
  sqlite3_int64 price = sqlite3_column_int64(from, PRICE);
  int isNull = sqlite3_column_type(from, PRICE) == SQLITE_NULL;
  int length = snprintf(text, sizeof text, "%lld.%02lld", price / 100, price % 100);
  sqlite3_bind_text(to, KEPT + 4, isNull ? NULL : text, length, SQLITE_STATIC);
}

// Its instructions are counted, by its name.
void rewrite_rows(lua_State *lua, sqlite3_stmt *from, sqlite3_stmt *to) {
  int status;
  while ((status = sqlite3_step(from)) == SQLITE_ROW) {
    for (int column = 0; column < KEPT; column++) bind_column(to, column + 1, from, column);
    if (lua) by_lua(lua, from, to);
    else by_c(from, to);
    if (sqlite3_step(to) != SQLITE_DONE) fail("INSERT");
    sqlite3_reset(to);
  }
  if (status != SQLITE_DONE) fail("SELECT");
}

int main(int count, char **words) {
  if (count != 6) return 2;
  const char *folder = words[4], *scripts = words[5];
  lua_State *lua = luaL_newstate();
  luaL_openlibs(lua);
  char line[4200];
  snprintf(line, sizeof line, "%s/m2.lua", scripts);
  if (luaL_dofile(lua, line)) fail(lua_tostring(lua, -1));

  if (sqlite3_open(words[3], &db) != SQLITE_OK) fail(words[3]);
  snprintf(line, sizeof line, "ATTACH '%s' AS old", words[2]);
  run(line);
  run("BEGIN");
  run(text_of(folder, "rewrite.tables.sql"));
  sqlite3_stmt *from = prepare(text_of(scripts, "m2-select.sql"));
  sqlite3_stmt *to = prepare(text_of(scripts, "m2-insert.sql"));
  rewrite_rows(strcmp(words[1], "c") ? lua : NULL, from, to);
  sqlite3_finalize(from);
  sqlite3_finalize(to);
  run(text_of(scripts, "m2-rest.sql"));
  run(text_of(folder, "rewrite.indexes.sql"));
  run("COMMIT");
  lua_close(lua);
  return sqlite3_close(db) == SQLITE_OK ? 0 : 1;
}
