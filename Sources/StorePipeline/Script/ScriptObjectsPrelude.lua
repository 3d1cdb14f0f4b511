local host = script_host
local references, proxies, cache = {}, {}, {}
-- The links to many that were read of new objects: each list is a copy.
local lists, latest = {}, {}

local function forget_objects()
  references, proxies, cache = {}, {}, {}
  if lists[1] then lists, latest = {}, {} end
end

local wrap, unwrap

local object = {
  __metatable = false,
  __name = "object",
  __index = function(self, name)
    local reference = references[self]
    if not reference then host.refuse("this object belongs to an earlier call") end
    local known = cache[self]
    if known and known[name] ~= nil then return known[name] end
    local value, isObject = host.read(reference, name)
    if isObject then value = wrap(value, reference, name) end
    if known then known[name] = value end
    return value
  end,
  __pairs = function()
    host.refuse("an object cannot be listed, nor kept in ctx.state: name what you read")
  end,
  __len = function() host.refuse("an object has no length") end,
}

local function proxy(reference)
  local id = table.concat(reference, "\0")
  if proxies[id] then return proxies[id] end
  local made = setmetatable({}, object)
  references[made], proxies[id] = reference, made
  -- What the source holds never changes while a script looks at it.
  if reference[2] == "source" then cache[made] = {} end
  return made
end

-- A composite attribute as a table: its elements are read and written one by one.
local function composite(reference, path, names)
  local id = table.concat(reference, "\0")
  local function check()
    if not proxies[id] then host.refuse("this composite belongs to an earlier call") end
  end
  return setmetatable({}, {
    __metatable = false,
    __name = "composite",
    __index = function(_, name)
      check()
      local inner = path .. "." .. tostring(name)
      local value, isTable = host.read(reference, inner)
      return isTable and wrap(value, reference, inner) or value
    end,
    __newindex = function(_, name, value)
      check()
      if reference[2] ~= "target" then
        host.refuse("objects of the source are only read; assign to an object of the target")
      end
      host.write(reference, path .. "." .. tostring(name), unwrap(value))
    end,
    __pairs = function(self)
      local values = {}
      for _, name in ipairs(names) do values[name] = self[name] end
      return pairs(values)
    end,
    __len = function() host.refuse("a composite has no length") end,
  })
end

function wrap(value, reference, name)
  if type(value) ~= "table" then return value end
  if value[1] == "$object" then return proxy(value) end
  if value[1] == "$composite" then
    return composite(reference, name, table.pack(table.unpack(value, 2)))
  end
  local list = {}
  for place, item in ipairs(value) do list[place] = proxy(item) end
  if reference and reference[2] == "target" then
    local id = table.concat(reference, "\0") .. "\0" .. name
    local read = { list = list, count = #list, of = reference, name = name, place = #lists + 1 }
    -- All but the first and the last two are let go if they are as they were read: a loop would
    -- keep a copy for each of its steps. The first is often in a local and written to later; of
    -- x.list[#x.list + 1] = item the one before the last is.
    local known = latest[id]
    local one, two = table.unpack(known or {})
    if one and #one.list == one.count then read.place, lists[one.list] = one.place, nil end
    lists[list], lists[read.place], latest[id] = read, read, known and { two, read } or {}
  end
  return list
end

-- What is added to such a copy, and never assigned, would be missing without a word.
local function check_lists()
  for _, read in ipairs(lists) do
    if #read.list > read.count and #read.list > #host.read(read.of, read.name) then
      error("an object was added to the list of '" .. read.of[3] .. "." .. read.name
        .. "', which is a copy; assign the list, as in x." .. read.name
        .. " = list, or begin one of your own with {}", 0)
    end
  end
end

local function reference_of(value, side, word)
  local reference = references[value]
  if reference and reference[2] == side then return reference end
  local got = reference and "an object of the " .. reference[2] or "a " .. type(value)
  host.refuse(word .. " needs an object of the " .. side .. ", not " .. got)
end

-- Only tables are looked for: a long string would be read through to be a key.
local function reference(value)
  return type(value) == "table" and references[value] or nil
end

local plain = { boolean = true, number = true, string = true }

local function check(item)
  if not plain[type(item)] then
    host.refuse("a list of objects is needed, and a " .. type(item) .. " is in it")
  end
  return item
end

function unwrap(value)
  local known = reference(value)
  if known or type(value) ~= "table" then return known or value end
  local list = {}
  for key, item in pairs(value) do
    -- A table with a name in a table is a composite in a composite.
    local isPart = type(key) == "string" and type(item) == "table"
    list[check(key)] = reference(item) or isPart and unwrap(item) or check(item)
  end
  -- What it has now is assigned, whatever is linked in the end: an object twice in it is, once.
  local read = lists[value]
  if read then read.count = #value end
  return list
end

local function assign(self, name, value)
  local reference = references[self]
  if reference and reference[2] == "source" then
    host.refuse("objects of the source are only read; assign to an object of the target")
  end
  host.write(reference_of(self, "target", "an assignment"), name, unwrap(value))
end
object.__newindex = assign

-- `ctx`: members to be read, and a state that scripts may change or put another one for.
local function context(members, state, put)
  local names, ctx = { "state" }, {}
  for name, member in pairs(members) do
    names[#names + 1] = name
    if type(member) == "function" then
      members[name] = function(first, ...)
        -- With a colon, the table itself is the first argument.
        if first == ctx then
          host.refuse("write a dot, not a colon: ctx." .. name .. "(...)")
        end
        return member(first, ...)
      end
    end
  end
  return setmetatable(ctx, {
    __metatable = false,
    __index = function(_, name)
      if name == "state" then return state() end
      local member = members[name]
      if member == nil then host.unknown(name, names) end
      return member
    end,
    __newindex = function(_, name, value)
      if name ~= "state" then
        host.refuse("'ctx." .. tostring(name) .. "' cannot be written")
      end
      if type(value) ~= "table" then host.refuse("'ctx.state' must be a table") end
      put(value)
    end,
  })
end
