-- Run with: pipeline test scripts
script "notes_people.lua" {
  entity = "Note", pipeline = "../pipelines/upgrade.pipeline", from = "Notes 2",
}

case "an author is a person, who is there once" {
  given = {
    { title = "Milk", created = 0, author = "Ada" },
    { title = "Bread", created = 0, author = "Ada" },
    { title = "Report", created = 0 },
  },
  expect = {
    Note = {
      { title = "Milk", writer = { name = "Ada" } },
      { title = "Bread", writer = { name = "Ada" } },
      { title = "Report" },
    },
    Person = { { name = "Ada" } },
  },
}

migration "a note of the first version goes all the way" {
  pipeline = "../pipelines/upgrade.pipeline",
  from = "Notes",
  store = {
    Folder = { home = { name = "Home" } },
    Tag = { shop = { name = "shop" } },
    Note = {
      milk = {
        title = "Milk", text = "two litres", created = 0, priority = "high", author = "Ada",
        folder = "home", tags = { "shop" },
      },
    },
  },
  expect = {
    Note = {
      title = "Milk", body = "two litres", priority = 1, writer = { name = "Ada" },
      folder = { name = "Home" }, labels = { { name = "shop" } },
    },
    Person = { name = "Ada", notes = { { title = "Milk" } } },
  },
}
