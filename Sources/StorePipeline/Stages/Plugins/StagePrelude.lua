local stage = script_table
local what = ...
local state, gone, inside = {}, {}, false

local function own(object, word)
  return reference_of(object, "target", "'ctx." .. word .. "'")
end

local function names_of(value, word)
  if type(value) == "string" then return { value } end
  if type(value) ~= "table" or #value == 0 then
    host.refuse("'" .. word .. "' needs the name of a property, or a list of names")
  end
  return value
end

-- Goes through objects; the chunks between two batches are committed by the host.
local function go(word, fn, begin)
  if type(fn) ~= "function" then host.refuse("'" .. word .. "' needs a function at its end") end
  if inside then
    host.refuse("'" .. word .. "' stands inside another pass: end that first, or use ctx.find")
  end
  if not begin() then return end
  inside = true
  local batch = host.batch()
  while batch do
    gone = {}
    for _, item in ipairs(batch) do
      local id = item[1][3] .. "\0" .. item[1][4]
      if not gone[id] then
        forget_objects()
        fn(proxy(item[1]), item[2] and proxy(item[2]), item[3])
      end
    end
    batch = host.batch()
  end
  forget_objects()
  inside = false
end

local function take(object, word)
  local reference = own(object, word)
  gone[reference[3] .. "\0" .. reference[4]] = true
  return reference
end

-- One that was not given is nil, one that the stage does not have is a mistake.
local known = {}
for _, name in ipairs(what.names) do known[name] = true end
local options = setmetatable({}, {
  __metatable = false,
  __pairs = function() return pairs(what.options) end,
  __newindex = function() host.refuse("'ctx.options' can be read, not written") end,
  __index = function(_, name)
    if not known[name] then
      host.refuse("the stage has no option '" .. tostring(name) .. "'")
    end
    return what.options[name]
  end,
})

local members = {
  now = what.now,
  options = options,
  history = what.history,
  each = function(entity, where, fn)
    if type(where) == "function" then where, fn = nil, where end
    go("ctx.each", fn, function() return host.pass(entity, where) end)
  end,
  groups = function(entity, names, choices, fn)
    if type(choices) == "function" then choices, fn = {}, choices end
    if type(choices) ~= "table" then
      host.refuse("'ctx.groups' needs a table: { order = \"-date\", least = 2 }")
    end
    for name in pairs(choices) do
      if name ~= "order" and name ~= "least" and name ~= "where" then
        host.refuse("'ctx.groups' has no '" .. tostring(name) .. "'; there are order, least "
          .. "and where")
      end
    end
    go("ctx.groups", fn, function()
      return host.pass(entity, choices.where, names_of(names, "ctx.groups"), choices.order,
        choices.least)
    end)
  end,
  make = function(entity, values)
    local made = proxy(host.make(entity))
    for name, value in pairs(values or {}) do assign(made, name, value) end
    return made
  end,
  delete = function(object)
    host.remove(take(object, "delete"))
    references[object] = nil
  end,
  merge = function(object, into)
    local other = own(into, "merge")
    host.merge(take(object, "merge"), other)
    references[object] = nil
  end,
  entity = function(object) return own(object, "entity")[3] end,
  key = function(object) return own(object, "key")[4] end,
  find = function(entity, where) return wrap(host.find(entity, where)) end,
  count = function(entity, where) return host.count(entity, where) end,
  entities = function() return host.entities() end,
  attributes = function(entity) return host.attributes(entity) end,
  relationships = function(entity) return host.relationships(entity) end,
  random = function(low, high) return host.random(low, high) end,
  checkpoint = function()
    if inside then
      host.refuse("'ctx.checkpoint' is for between passes, which commit by themselves")
    end
    host.checkpoint()
  end,
  warn = function(text) host.warn(text) end,
  fail = function(reason) host.decide("fail", reason) end,
}

local ctx = context(members, function() return state end, function(value) state = value end)

-- Every entry takes an argument: a call without any counts as loading.
return {
  work = function(name)
    stage[name](ctx)
  end,
  state = function(_) return state end,
  restore = function(saved) state = saved end,
}
