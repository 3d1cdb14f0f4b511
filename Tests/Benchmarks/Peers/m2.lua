-- The transform of M2 as people write it: values in, values out.
local match, upper, sub, format = string.match, string.upper, string.sub, string.format
local floor = math.floor

return function(name, note, price)
  local first, last
  if name then
    first, last = match(name, "^(%S+)%s+(.*)$")
    first = first or name
  end
  if note then
    note = match(note, "^%s*(.-)%s*$")
    note = upper(sub(note, 1, 1)) .. sub(note, 2)
  end
  return first, last, note, price and format("%d.%02d", floor(price / 100), price % 100)
end
