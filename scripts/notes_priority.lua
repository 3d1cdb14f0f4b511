-- Note 1 -> Note 2: the word for a priority becomes a number, and a note without one is ordinary.
local numbers = { low = -1, high = 1 }

return {
  attributes = {
    priority = function(priority)
      if priority == nil then return 0 end
      return numbers[priority] or error("there is no priority '" .. priority .. "'")
    end,
  },
}
