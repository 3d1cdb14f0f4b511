local script = script_table
local what = ...
local creates, target = {}, what.target
for _, name in ipairs(what.creates) do creates[name] = true end

local mine, state, before, current = {}, {}, nil, nil

local function forget()
  forget_objects()
  mine, current, before = {}, nil, nil
end

local function copy(value, seen)
  if type(value) ~= "table" then return value end
  if seen[value] then return seen[value] end
  local made = {}
  seen[value] = made
  for key, item in pairs(value) do made[key] = copy(item, seen) end
  return made
end

-- The state as it is before this call has seen it, to be put back when its object is undone.
local function touch()
  -- Before its turn, an object cannot know what those before it leave here.
  if what.isAhead then host.turn() end
  if not before then before = { table = state, content = copy(state, {}) } end
end

local function undo()
  if not before then return end
  state = before.table
  for key in pairs(copy(state, {})) do state[key] = nil end
  for key, item in pairs(before.content) do state[key] = item end
  before = nil
end

local function default(source, entity)
  local made = host.default(reference_of(source, "source", "'new." .. entity .. "'"), entity)
  mine[proxy(made)] = true
  return proxy(made)
end

local new
new = setmetatable({}, {
  __metatable = false,
  __newindex = function() host.refuse("'new' can only be called: new.Entity(...)") end,
  __index = function(_, entity)
    if not creates[entity] then host.undeclared(entity) end
    return function(from, more)
      if not current then host.refuse("objects are made in 'create' alone") end
      if from == new then
        host.refuse("write a dot, not a colon: new." .. entity .. "(...)")
      end
      if more ~= nil then
        host.refuse("'new." .. entity .. "' takes one object, or one table of values; "
          .. "assign the others to what it makes: local copy = new." .. entity
          .. "(...) copy.name = value")
      end
      if references[from] then return default(from, entity) end
      if from ~= nil and type(from) ~= "table" then
        host.refuse("'new." .. entity .. "' needs an object of the source "
          .. "or a table of values, not a " .. type(from))
      end
      local made = proxy(host.make(entity))
      mine[made] = true
      for name, value in pairs(from or {}) do assign(made, name, value) end
      return made
    end
  end,
})

local members = {
  now = what.now,
  params = params,
  default = function(source)
    if not current then host.refuse("'ctx.default' is for 'create' alone") end
    if not target then host.refuse("the mapping alone makes nothing of this entity") end
    return default(source == nil and current or source, target)
  end,
  skip = function(reason) host.decide("skip", reason) end,
  reject = function(reason) host.decide("reject", reason) end,
  fail = function(reason) host.decide("fail", reason) end,
  warn = function(text) host.warn(text) end,
  destinations = function(source)
    return wrap(host.destinations(reference_of(source, "source", "'ctx.destinations'")))
  end,
  sources = function(made)
    return wrap(host.sources(reference_of(made, "target", "'ctx.sources'")))
  end,
  find = function(entity, where) return wrap(host.find(entity, where)) end,
  count = function(entity, where) return host.count(entity, where) end,
  random = function(low, high) return host.random(low, high) end,
  key = function() return host.key() end,
}

local ctx = context(members, function()
  touch()
  return state
end, function(value)
  touch()
  state = value
end)

-- Every entry takes an argument: a call without any counts as loading.
return {
  create = function(source)
    forget()
    current = proxy(source)
    local made = script.create(current, new, ctx)
    check_lists()
    if made ~= nil and not references[made] then
      local form = type(made) == "function" and "; call it: return f(...)"
        or target and "; write return new." .. target .. " { ... }" or ""
      error("'create' returned a " .. type(made) .. "; it returns what it made, or nothing"
        .. form, 0)
    end
    -- Another object that is there: this one becomes part of it.
    if made ~= nil and not mine[made] then
      host.associate(reference_of(made, "target", "what 'create' returns"))
    end
    current = nil
  end,
  relate = function(made)
    forget()
    script.relate(proxy(made), ctx)
    check_lists()
  end,
  hook = function(name)
    forget()
    script[name](ctx)
    check_lists()
  end,
  attribute = function(name, parameters, source)
    local from, values = proxy(source), {}
    for place, parameter in ipairs(parameters) do
      values[place] = parameter == what.context and ctx or from[parameter]
    end
    return script.attributes[name](table.unpack(values, 1, #parameters))
  end,
  forget = function(_) forget() end,
  state = function(_) return state end,
  restore = function(saved) state = saved end,
  undo = function(_) undo() end,
}
