-- M2 with lua-sql, which has no parameters: values become SQL text, many rows to a statement.
-- lua m2-luasql.lua SOURCE RESULT FOLDER
local source, result, folder = arg[1], arg[2], arg[3]
local here = arg[0]:match "^(.*)/" or "."
local transform = dofile(here .. "/m2.lua")

local environment = require("luasql.sqlite3").sqlite3()
local reader, db = environment:connect(source), environment:connect(result)

local function run(sql) return assert(db:execute(sql)) end

local function text_of(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

local function run_all(path)
  for statement in text_of(path):gmatch "[^;]+" do
    if statement:find "%S" then run(statement) end
  end
end

local function quoted(value)
  if value == nil then return "NULL" end
  if type(value) == "string" then return "'" .. value:gsub("'", "''") .. "'" end
  return math.type(value) == "float" and string.format("%.17g", value) or tostring(value)
end

run("ATTACH '" .. source .. "' AS old")
run "BEGIN"
run_all(folder .. "/rewrite.tables.sql")
local insert = text_of(here .. "/m2-insert.sql"):match "^(.-)VALUES" .. "VALUES "
local rows, count = {}, 0

local function flush()
  if count > 0 then run(insert .. table.concat(rows, ",", 1, count)) end
  count = 0
end

local cursor = assert(reader:execute((text_of(here .. "/m2-select.sql"):gsub("old%.", ""))))
while true do
  local key, entity, saves, box, created, mass, name, note, price = cursor:fetch()
  if not key then break end
  local first, last, tidy, amount = transform(name, note, price)
  local values = {
    quoted(key), quoted(entity), quoted(saves), "1", quoted(box), quoted(created), quoted(mass),
    quoted(first), quoted(last), quoted(tidy), quoted(amount),
  }
  count = count + 1
  rows[count] = "(" .. table.concat(values, ",") .. ")"
  if count == 400 then flush() end
end
flush()
cursor:close()
run_all(here .. "/m2-rest.sql")
run_all(folder .. "/rewrite.indexes.sql")
run "COMMIT"
reader:close()
db:close()
