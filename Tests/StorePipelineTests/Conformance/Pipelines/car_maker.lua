-- A car's maker is the object that has the name already, or a new one; its owner is the first of
-- those who have owned it.
local function maker(name, new, ctx)
  return ctx.find("Maker", { name = name })[1] or new.Maker { name = name }
end

return {
  creates = { "Car", "SportCar", "LuxuryCar", "Maker" },
  create = function(car, new, ctx)
    local made = ctx.default()
    if car.maker then made.createdBy = maker(car.maker, new, ctx) end
    if car.owner then made.previousOwners = ctx.destinations(car.owner) end
    return made
  end,
}
