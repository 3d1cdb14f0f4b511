-- Makes one object of those that share a key.

-- Gives what stays the values that it lacks, and counts those that go because it has others.
local function fill(ctx, object, into, attributes)
  for _, attribute in ipairs(attributes) do
    local name = attribute.name
    if attribute.external then
      -- Large values are not compared.
      if into[name] == nil and object[name] ~= nil then into[name] = object[name] end
    else
      local own, other = into[name], object[name]
      if own == nil then
        if other ~= nil then into[name] = other end
      elseif other ~= nil and other ~= own then
        ctx.state.values = (ctx.state.values or 0) + 1
      end
    end
  end
end

-- The relationships to one object, each with the one that leads back to one object.
local function single_links(ctx, entity)
  local links = {}
  for _, link in ipairs(ctx.relationships(entity)) do
    if not link.many then
      links[#links + 1] = { name = link.name, to = link.to }
      for _, other in ipairs(ctx.relationships(link.to)) do
        if other.name == link.inverse and not other.many then links[#links].back = other.name end
      end
    end
  end
  return links
end

-- Counts links to one object that go because what stays is linked already, and gives the objects
-- that have no other one.
local function count_links(ctx, object, into, links)
  local left = {}
  for _, link in ipairs(links) do
    local other, own = object[link.name], into[link.name]
    if other ~= nil and own ~= nil and other ~= own and other ~= into and own ~= object then
      ctx.state.links = (ctx.state.links or 0) + 1
      -- Objects of the same kind may be merged themselves, now or later.
      local isKin = link.to == ctx.options.entity or link.to == ctx.entity(object)
      if link.back and not isKin and other ~= object then
        left[#left + 1] = { object = other, back = link.back }
      end
    end
  end
  return left
end

-- Counts those to which nothing leads by that relationship any more.
local function count_orphans(ctx, left)
  for _, link in ipairs(left) do
    if link.object[link.back] == nil then
      local entity = ctx.entity(link.object)
      local orphans = ctx.state.orphans or {}
      local known = orphans[entity]
        or { count = 0, first = entity .. " " .. ctx.key(link.object) }
      known.count = known.count + 1
      orphans[entity], ctx.state.orphans = known, orphans
    end
  end
end

local function warn_of_orphans(ctx)
  local names = {}
  for entity in pairs(ctx.state.orphans or {}) do names[#names + 1] = entity end
  table.sort(names)
  for _, entity in ipairs(names) do
    local known = ctx.state.orphans[entity]
    ctx.warn(entity .. ": " .. known.count .. " orphaned by merging " .. ctx.options.entity
      .. ": what stays is linked to another; the first is " .. known.first)
  end
end

local function work(ctx)
  local options = ctx.options
  local order = options.by or ""
  if options.keep == "newest" then order = "-" .. order end
  local attributes, links = ctx.attributes(options.entity), single_links(ctx, options.entity)
  ctx.groups(options.entity, options.key, { order = order, least = 2 }, function(object, first)
    if object == first then return end
    if ctx.entity(object) ~= ctx.entity(first) then
      ctx.state.others = (ctx.state.others or 0) + 1
      return
    end
    if options.fill then fill(ctx, object, first, attributes) end
    local left = count_links(ctx, object, first, links)
    ctx.merge(object, first)
    count_orphans(ctx, left)
    ctx.state.merged = (ctx.state.merged or 0) + 1
  end)
  for _, count in ipairs({
    { "merged", "merged into others" },
    { "values", "of their values gone: what stays has another value" },
    { "links", "of their links gone: what stays is linked to another object" },
    { "others", "with the same key left as they were: the one to keep is of another entity" },
  }) do
    local number = ctx.state[count[1]]
    if number then ctx.warn(options.entity .. ": " .. number .. " " .. count[2]) end
  end
  warn_of_orphans(ctx)
end

return {
  name = "dedupe",
  summary = "Makes one object of those that share a key, and moves their links to it.",
  details = "Objects whose key has a part without a value are left alone. What led to one that "
    .. "goes leads to the one that stays; its own links are added to those of the one that stays, "
    .. "except where a relationship to one object leads somewhere already. In an ordered "
    .. "relationship the one that stays stands where the first of them stood. Delete rules of the "
    .. "model are not followed: nothing but the objects themselves goes. A warning counts the "
    .. "objects that lose their only link back, as a passport without its person, and names the "
    .. "first of them.",
  options = {
    entity = { type = "entity", required = true, help = "The entity, by its new name." },
    key = {
      type = "text", list = true, required = true,
      help = "The attributes, and relationships to one object, whose values are the key.",
    },
    keep = {
      type = "choice", choices = { "oldest", "newest" }, default = "oldest",
      help = "Which object stays: the first or the last, by `by`.",
    },
    by = {
      type = "text",
      help = "The attribute that orders the objects; without it, and where values are equal, they "
        .. "are in the order of their keys.",
    },
    fill = {
      type = "boolean", default = true,
      help = "Whether attributes without a value get one from an object that goes.",
    },
  },
  consumes = { "objects" },
  touches = function(options) return { options.entity } end,
  example = [[stage "dedupe" { entity = "Tag", key = "name", keep = "newest", by = "modified" }]],
  run = work,
  resume = work,
  retry = work,
}
