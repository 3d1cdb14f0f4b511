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

-- Counts links to one object that go because what stays is linked already.
local function count_links(ctx, object, into, names)
  for _, name in ipairs(names) do
    local other, own = object[name], into[name]
    if other ~= nil and own ~= nil and other ~= own and other ~= into and own ~= object then
      ctx.state.links = (ctx.state.links or 0) + 1
    end
  end
end

local function work(ctx)
  local options = ctx.options
  local order = options.by or ""
  if options.keep == "newest" then order = "-" .. order end
  local attributes, links = ctx.attributes(options.entity), {}
  for _, relationship in ipairs(ctx.relationships(options.entity)) do
    if not relationship.many then links[#links + 1] = relationship.name end
  end
  ctx.groups(options.entity, options.key, { order = order, least = 2 }, function(object, first)
    if object == first then return end
    if ctx.entity(object) ~= ctx.entity(first) then
      ctx.state.others = (ctx.state.others or 0) + 1
      return
    end
    if options.fill then fill(ctx, object, first, attributes) end
    count_links(ctx, object, first, links)
    ctx.merge(object, first)
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
end

return {
  name = "dedupe",
  summary = "Makes one object of those that share a key, and moves their links to it.",
  details = "Objects whose key has a part without a value are left alone. What led to one that "
    .. "goes leads to the one that stays; its own links are added to those of the one that stays, "
    .. "except where a relationship to one object leads somewhere already. In an ordered "
    .. "relationship the one that stays stands where the first of them stood. Delete rules of the "
    .. "model are not followed: nothing but the objects themselves goes.",
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
