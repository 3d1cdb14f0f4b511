-- M2 with LuaJIT and its foreign function interface: luajit m2-luajit.lua SOURCE RESULT FOLDER
local ffi = require "ffi"
ffi.cdef [[
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open(const char *, sqlite3 **);
int sqlite3_close(sqlite3 *);
int sqlite3_exec(sqlite3 *, const char *, void *, void *, char **);
const char *sqlite3_errmsg(sqlite3 *);
int sqlite3_prepare_v2(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
int sqlite3_step(sqlite3_stmt *);
int sqlite3_reset(sqlite3_stmt *);
int sqlite3_finalize(sqlite3_stmt *);
int sqlite3_column_type(sqlite3_stmt *, int);
int64_t sqlite3_column_int64(sqlite3_stmt *, int);
double sqlite3_column_double(sqlite3_stmt *, int);
const char *sqlite3_column_text(sqlite3_stmt *, int);
int sqlite3_column_bytes(sqlite3_stmt *, int);
int sqlite3_bind_int64(sqlite3_stmt *, int, int64_t);
int sqlite3_bind_double(sqlite3_stmt *, int, double);
int sqlite3_bind_null(sqlite3_stmt *, int);
int sqlite3_bind_text(sqlite3_stmt *, int, const char *, int, void (*)(void *));
]]
local NULL, ROW, DONE = 5, 100, 101
local static = ffi.cast("void (*)(void *)", 0)
local ok, sqlite = pcall(ffi.load, "libsqlite3.so.0")
if not ok then sqlite = ffi.load "sqlite3" end

local source, result, folder = arg[1], arg[2], arg[3]
local here = arg[0]:match "^(.*)/" or "."
local transform = dofile(here .. "/m2.lua")

local handle = ffi.new "sqlite3 *[1]"
assert(sqlite.sqlite3_open(result, handle) == 0)
local db = handle[0]

local function check(isRight)
  if not isRight then error(ffi.string(sqlite.sqlite3_errmsg(db))) end
end

local function text_of(path)
  local file = assert(io.open(path))
  local text = file:read "*a"
  file:close()
  return text
end

local function run(sql) check(sqlite.sqlite3_exec(db, sql, nil, nil, nil) == 0) end

local function prepare(sql)
  local statement = ffi.new "sqlite3_stmt *[1]"
  check(sqlite.sqlite3_prepare_v2(db, sql, -1, statement, nil) == 0)
  return statement[0]
end

run("ATTACH '" .. source .. "' AS old")
run "BEGIN"
run(text_of(folder .. "/rewrite.tables.sql"))
local from = prepare(text_of(here .. "/m2-select.sql"))
local to = prepare(text_of(here .. "/m2-insert.sql"))

local function text(column)
  local bytes = sqlite.sqlite3_column_text(from, column)
  return bytes ~= nil and ffi.string(bytes, sqlite.sqlite3_column_bytes(from, column)) or nil
end

local function bind(parameter, value)
  if value then
    sqlite.sqlite3_bind_text(to, parameter, value, #value, static)
  else
    sqlite.sqlite3_bind_null(to, parameter)
  end
end

local function copy(column, bound, read)
  if sqlite.sqlite3_column_type(from, column) == NULL then
    sqlite.sqlite3_bind_null(to, column + 1)
  else
    bound(to, column + 1, read(from, column))
  end
end

while sqlite.sqlite3_step(from) == ROW do
  for column = 0, 3 do copy(column, sqlite.sqlite3_bind_int64, sqlite.sqlite3_column_int64) end
  for column = 4, 5 do copy(column, sqlite.sqlite3_bind_double, sqlite.sqlite3_column_double) end
  local price
  if sqlite.sqlite3_column_type(from, 8) ~= NULL then
    price = tonumber(sqlite.sqlite3_column_int64(from, 8))
  end
  local first, last, note, amount = transform(text(6), text(7), price)
  bind(7, first)
  bind(8, last)
  bind(9, note)
  bind(10, amount)
  check(sqlite.sqlite3_step(to) == DONE)
  sqlite.sqlite3_reset(to)
end
sqlite.sqlite3_finalize(from)
sqlite.sqlite3_finalize(to)
run(text_of(here .. "/m2-rest.sql"))
run(text_of(folder .. "/rewrite.indexes.sql"))
run "COMMIT"
check(sqlite.sqlite3_close(db) == 0)
