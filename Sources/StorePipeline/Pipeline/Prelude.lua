local line, problem = pipeline_host.line, pipeline_host.problem
local parameter, variable = pipeline_host.parameter, pipeline_host.variable

-- Deeper data than any option takes; the border to the host allows 64 levels.
local DEEPEST = 16
-- All that a file describes crosses the border at once, in at most 262,144 pieces.
local MOST, parts = 20000, 0

local constructs, numbers, unfinished = {}, {}, {}

-- Stands for what a mistake left out, so that the mistakes behind it are found as well.
local unknown = {}
local function same() return unknown end
setmetatable(unknown, {
  __metatable = false, __index = same, __call = same, __newindex = function() end,
  __concat = same, __len = same, __unm = same, __add = same, __sub = same, __mul = same,
  __div = same, __mod = same, __idiv = same, __pow = same,
})

local plain

local function plain_table(value, depth, inside)
  if getmetatable(value) ~= nil then return { "unusable", "a table with a metatable" } end
  if inside[value] then return { "unusable", "a table that contains itself" } end
  if depth == DEEPEST then return { "unusable", "a table nested too deeply" } end
  -- Not every key has a place in the order of pairs.
  local ordered, each = pcall(pairs, value)
  if not ordered then return { "unusable", "a table with keys that are not texts" } end
  inside[value] = true
  local list, names, values = {}, {}, {}
  for key, item in each do
    if key == #list + 1 then
      list[key] = plain(item, depth + 1, inside)
    elseif type(key) == "string" then
      names[#names + 1] = key
      values[#names] = plain(item, depth + 1, inside)
    else
      inside[value] = nil
      return { "unusable", "a list with a nil in it" }
    end
  end
  inside[value] = nil
  return { "table", list, names, values }
end

function plain(value, depth, inside)
  local kind = type(value)
  parts = parts + 1
  if parts > MOST then return { "unusable", "more data than a file may describe" } end
  if value == unknown then return { "unknown" } end
  if numbers[value] then return { "construct", numbers[value] } end
  if kind == "table" then return plain_table(value, depth, inside) end
  if kind == "boolean" or kind == "number" or kind == "string" then return value end
  return { "unusable", "a " .. kind }
end

local function construct(kind, name, body, at)
  local number = #constructs + 1
  constructs[number] = { kind, at or line(), name, plain(body, 0, {}) }
  local handle = setmetatable({}, { __metatable = false })
  numbers[handle] = number
  return handle
end

local function expect_text(word, value, example)
  if type(value) == "string" and value ~= "" then return true end
  if value ~= unknown then
    local got = value == "" and "an empty one" or "a " .. type(value)
    problem("'" .. word .. "' needs a name in quotes, not " .. got .. ": " .. example)
  end
  return false
end

local function expect_table(word, value, example)
  if type(value) == "table" and value ~= unknown then return true end
  if value ~= unknown then
    problem("'" .. word .. "' needs a table, not a " .. type(value) .. ": " .. example)
  end
  return false
end

-- A word that takes a name and then a table: stage "copy" { ... }.
local function named(word, finish)
  local example = word .. ' "name" { ... }'
  return function(name)
    local at = line()
    if not expect_text(word, name, example) then return unknown end
    local number = #unfinished + 1
    unfinished[number] = { word, name, at }
    return function(body)
      unfinished[number] = false
      if not expect_table(word, body, example) then return unknown end
      return finish(name, body, at)
    end
  end
end

-- A word that takes a table alone: rename { ... }.
local function rule(word)
  return function(body)
    local inside = type(body) == "string" and '"' .. body .. '"' or "..."
    if not expect_table(word, body, word .. " { " .. inside .. " }") then return unknown end
    return construct(word, "", body)
  end
end

local parameters, names = {}, {}
local declare = named("param", function(name, options)
  if parameters[name] ~= nil then
    problem("a second param '" .. name .. "'")
    return
  end
  local value = parameter(name, plain(options, 0, {}))
  if value == nil then value = unknown end
  parameters[name] = value
  names[#names + 1] = name
end)
local param = setmetatable({}, {
  __metatable = false,
  __call = function(_, name) return declare(name) end,
  __newindex = function(_, name)
    problem("'param." .. tostring(name) .. "' cannot be written; write param \""
      .. tostring(name) .. "\" { default = ... }")
  end,
  __index = function(_, name)
    local value = parameters[name]
    if value ~= nil then return value end
    problem("unknown param '" .. tostring(name) .. "'", tostring(name), names)
    return unknown
  end,
})

return {
  unknown = unknown,
  finish = function()
    local left = {}
    for _, word in ipairs(unfinished) do if word then left[#left + 1] = word end end
    return constructs, left
  end,
  words = {
    param = param,
    env = function(name)
      if not expect_text("env", name, 'env "NAME"') then return unknown end
      return (variable(name))
    end,
    pipeline = named("pipeline", function(...) return construct("pipeline", ...) end),
    stage = named("stage", function(...) return construct("stage", ...) end),
    step = named("step", function(...) return construct("step", ...) end),
    rename = rule "rename", map = rule "map", drop = rule "drop", where = rule "where",
    one = rule "one", undecided = rule "undecided",
    from = function(name)
      if not expect_text("from", name, 'from "attribute"') then return unknown end
      return construct("from", name, {})
    end,
    convert = function(name, kind)
      local example = 'convert("attribute", "Integer 64")'
      if not expect_text("convert", name, example) then return unknown end
      if not expect_text("convert", kind, example) then return unknown end
      return construct("convert", name, { kind })
    end,
  },
}
