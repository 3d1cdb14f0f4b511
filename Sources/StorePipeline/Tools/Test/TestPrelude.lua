local line, refuse = test_host.line, test_host.refuse
local tests = {}

local function expect_name(word, value)
  if type(value) == "string" and value ~= "" then return end
  refuse("'" .. word .. "' needs a name in quotes, not "
    .. (value == "" and "an empty one" or "a " .. type(value))
    .. ": " .. word .. ' "name" { ... }')
end

local function named(word)
  return function(name)
    local entry = { word, name, line() }
    expect_name(word, name)
    tests[#tests + 1] = entry
    return function(body)
      if type(body) ~= "table" then
        refuse("'" .. word .. "' needs a table, not a " .. type(body)
          .. ": " .. word .. ' "name" { ... }')
      end
      entry[4] = body
    end
  end
end

local function plain(body)
  local copy = {}
  for key, value in pairs(body) do
    copy[key] = type(value) == "function" and { ["$function"] = true } or value
  end
  return copy
end

return {
  words = {
    script = named "script", case = named "case", property = named "property",
    migration = named "migration",
    null = { ["$null"] = true },
    object = function(entity)
      expect_name("object", entity)
      return function(values)
        if type(values) ~= "table" then
          refuse("'object' needs a table: object " .. '"' .. entity .. '" { ... }')
        end
        return { ["$entity"] = entity, ["$values"] = values }
      end
    end,
  },
  all = function(_)
    local list = {}
    for place, entry in ipairs(tests) do
      list[place] = { entry[1], entry[2], entry[3], entry[4] and plain(entry[4]) or false }
    end
    return list
  end,
  check = function(place, ...) return tests[place][4].check(...) end,
}
