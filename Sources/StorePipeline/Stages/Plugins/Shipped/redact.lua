-- Masks and empties values, for a store that can be given away with a bug report.

local masked = { String = true, URI = true, Binary = true, Transformable = true, Codable = true }

-- Types with an inner format that a mask would break.
local formed = { Transformable = true, Codable = true }

-- The attributes that names mean: entity and attribute, each pair once. A star means texts and
-- bytes; numbers and dates have to be named.
local function chosen(ctx, names)
  local found, seen = {}, {}
  local function add(entity, attribute, is_named)
    local id = entity .. "." .. attribute.name
    if seen[id] or not (is_named or masked[attribute.type]) then return end
    seen[id] = true
    found[#found + 1] = { id = id, entity = entity, attribute = attribute }
  end
  for _, name in ipairs(names) do
    local entity, wanted = name:match("^([^.]*)%.(.*)$")
    for _, owner in ipairs(name == "*" and ctx.entities() or { entity }) do
      for _, attribute in ipairs(ctx.attributes(owner)) do
        if name == "*" and attribute.declared == owner or wanted == "*" then
          add(owner, attribute, false)
        elseif wanted and (attribute.name .. "."):sub(1, #wanted + 1) == wanted .. "." then
          -- A composite attribute stands for all that it holds.
          add(owner, attribute, true)
        end
      end
    end
  end
  return found
end

-- Puts a number into the letters and digits at the end of a text; x and 0 stand for nothing.
local function numbered(text, number)
  local place, last = #text, {}
  while number > 0 and place > 0 do
    local byte = text:byte(place)
    if byte == 48 then
      byte, number = 48 + number % 10, number // 10
    elseif byte == 120 or byte == 88 then
      byte, number = byte - 23 + (number + 23) % 26, number // 26
    end
    table.insert(last, 1, string.char(byte))
    place = place - 1
  end
  local rest = number > 0 and "~" .. number or ""
  return text:sub(1, place) .. table.concat(last) .. rest, number > 0
end

-- How many values of a form there were before this one.
local function next_number(ctx, id, form)
  local key = id .. " " .. form
  local number = ctx.state[key] or 0
  ctx.state[key] = number + 1
  return number
end

local masks = {}

function masks.String(ctx, id, value)
  local text, small = value:gsub("%l", "x")
  local capital, digits, other
  text, capital = text:gsub("%u", "X")
  text, digits = text:gsub("%d", "0")
  text, other = text:gsub("[\xC2-\xF4][\x80-\xBF]*", "x")
  local number = next_number(ctx, id, small + capital + other .. "," .. digits)
  local result, is_longer = numbered(text, number)
  if is_longer then ctx.warn(id .. ": some texts are too short for masks of their length") end
  return result
end
masks.URI = masks.String

-- The sign of a number, the least number of its magnitude, and how many values of that sign and
-- magnitude there were before this one. Zero has no sign.
local function magnitude(ctx, id, value)
  local number = tonumber(value) + 0.0
  local sign, size = number < 0 and -1 or 1, math.abs(number)
  local low = size < 10 and (sign < 0 and 1 or 0) or 10.0 ^ math.floor(math.log(size, 10))
  return sign, low, next_number(ctx, id, sign .. " " .. low)
end

-- No magnitude has more whole numbers of a sign than there are from its least one on.
local function whole(ctx, id, value)
  local sign, low, number = magnitude(ctx, id, value)
  return sign * (math.tointeger(low) + number)
end

-- Whole numbers first, then fractions between them, no finer than the 24 binary digits of a Float.
local function real(ctx, id, value)
  local sign, low, number = magnitude(ctx, id, value)
  if low == math.huge then return nil end
  local count = low < 10 and 10 - low or 9 * low
  local lap, is_full = number // count, false
  local steps = low < 1e4 and 1024 or low < 1e5 and 128 or 16
  local result = low + number % count + lap / steps
  if low < 1e6 then
    is_full = lap >= steps
  else
    result, is_full = low * (1 + number / 2 ^ 19), number >= 9 * 2 ^ 19
  end
  if is_full then ctx.warn(id .. ": there are too many numbers to keep them all different") end
  return sign * result
end

for _, kind in ipairs({ "Integer 16", "Integer 32", "Integer 64" }) do masks[kind] = whole end
masks.Double, masks.Float = real, real
function masks.Decimal(ctx, id, value) return string.format("%.14g", real(ctx, id, value)) end

function masks.Date(ctx, id) return next_number(ctx, id, "date") end
function masks.Boolean() return false end
function masks.UUID(ctx, id)
  return string.format("00000000-0000-4000-8000-%012X", next_number(ctx, id, "uuid"))
end

-- As many bytes with a number at their beginning, its lowest byte first.
local function counted(ctx, id, length)
  local number, bytes = next_number(ctx, id, "bytes " .. length), {}
  while number > 0 do
    bytes[#bytes + 1] = string.char(number % 256)
    number = number // 256
  end
  if #bytes > length then ctx.warn(id .. ": some bytes are too few for masks of their length") end
  return table.concat(bytes) .. string.rep("\0", length - #bytes)
end

local function mask(ctx, choice)
  local id, entity, attribute = choice.id, choice.entity, choice.attribute
  local name, make = attribute.name, masks[attribute.type]
  if attribute.type == "Binary" then
    ctx.each(entity, function(object)
      local bytes = object[name]
      if bytes and #bytes > 0 then object[name] = counted(ctx, id, #bytes) end
    end)
  elseif make then
    ctx.groups(entity, { name }, function(object, first)
      -- Equal values stay equal, others stay different. An infinite number stays what it is: it
      -- says nothing, and no script may write one.
      local value = first[name]
      if object == first then value = make(ctx, id, value) end
      if value ~= nil and value ~= math.huge and value ~= -math.huge then object[name] = value end
    end)
  end
end

local nothing = {
  String = "", URI = "", Binary = "", Transformable = "", Codable = "", Boolean = false, Date = 0,
  UUID = "00000000-0000-4000-8000-000000000000",
}

local function empty(ctx, choice)
  local name, value = choice.attribute.name, nil
  if not choice.attribute.optional then
    value = nothing[choice.attribute.type]
    if value == nil then value = 0 end
  end
  ctx.each(choice.entity, function(object) object[name] = value end)
end

local function work(ctx)
  if ctx.history == "keep" then
    ctx.fail("the history of changes keeps old values: write stage \"metadata\" "
      .. "{ history = \"drop\" }, too")
  end
  local done = {}
  for _, choice in ipairs(chosen(ctx, ctx.options.keep)) do done[choice.id] = true end
  local function each(names, change)
    for _, choice in ipairs(chosen(ctx, names)) do
      if not done[choice.id] then
        done[choice.id] = true
        change(ctx, choice)
      end
    end
  end
  each(ctx.options.empty, empty)
  each(ctx.options.mask, function(_, choice)
    local change = formed[choice.attribute.type] and empty or mask
    change(ctx, choice)
  end)
end

return {
  name = "redact",
  summary = "Masks or empties values, for a store that can be given away with a bug report.",
  details = "A mask keeps a value's length and form: letters become letters and digits digits, "
    .. "and all else stays. Equal values stay equal and different ones different, so that what a "
    .. "constraint says still holds, and nothing leads back to the value; but all Booleans become "
    .. "false. Bytes keep their length, and all become different, except empty ones, which stay "
    .. "empty. Transformable and Codable values are emptied. A star means texts and bytes; "
    .. "numbers, dates, Booleans and UUIDs are masked where they are named. Objects and links "
    .. "stay, and so do the keys of the store's metadata, which the stage metadata removes. A "
    .. "history of changes has to be dropped by the same stage, for old values stand in it.",
  options = {
    mask = {
      type = "properties", list = true, default = { "*" },
      help = "What is masked.",
    },
    empty = {
      type = "properties", list = true, default = {},
      help = "What is emptied: nil, or where a value is mandatory an empty text, 0 or false.",
    },
    keep = {
      type = "properties", list = true, default = {},
      help = "What stays as it is, whatever the other options name.",
    },
  },
  consumes = { "objects" },
  touches = function(options)
    local names = {}
    for _, option in ipairs({ "mask", "empty" }) do
      for _, name in ipairs(options[option]) do
        names[#names + 1] = name == "*" and "*.*" or name
      end
    end
    return names
  end,
  example = [[
stage "redact" {
  mask  = { "Person.*", "Note.text" },
  empty = "Person.photo",
  keep  = "Person.country",
}]],
  run = work,
  resume = work,
}
