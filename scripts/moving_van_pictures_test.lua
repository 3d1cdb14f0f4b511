-- Run with: pipeline test scripts
script "moving_van_pictures.lua" { entity = "Item", pipeline = "../pipelines/moving-van.pipeline" }

case "an item without a picture has no photo" {
  given = { name = "Lamp", added = 0 },
  expect = { Item = { name = "Lamp" }, Photo = {} },
}

migration "the picture of an item is its photo's" {
  pipeline = "../pipelines/moving-van.pipeline",
  store = {
    Box = { one = { label = "Box 1", number = 1 } },
    Item = { clock = { name = "Clock", added = 0, box = "one" } },
  },
  expect = { Box = { label = "Box 1", items = { { name = "Clock" } } } },
}
