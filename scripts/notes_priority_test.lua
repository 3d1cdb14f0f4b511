-- Run with: pipeline test scripts
script "notes_priority.lua" { entity = "Note", pipeline = "../pipelines/notes.pipeline" }

case "a word becomes its number" {
  given = {
    { title = "Milk", created = 0, priority = "high" },
    { title = "Report", created = 0, priority = "low" },
  },
  expect = {
    Note = { { title = "Milk", priority = 1 }, { title = "Report", priority = -1 } },
  },
}

case "a note without a word is ordinary" {
  given = { title = "Bread", created = 0, priority = null },
  expect = { priority = 0 },
}

case "an unknown word stops the run" {
  given = { title = "Bread", created = 0, priority = "huge" },
  error = "there is no priority 'huge'",
}

case "the rest of a note is the mapping's" {
  given = {
    title = "Milk", text = "two litres", created = date.parse "2001-01-02T00:00:00Z",
    folder = { name = "Home" }, tags = { { name = "shop" } },
  },
  expect = {
    body = "two litres", created = 86400, folder = { name = "Home" },
    labels = { { name = "shop" } },
  },
}

property "a note has a number, or an unknown word" {
  allow = "there is no priority",
  check = function(note, made) return #made == 1 and made[1].priority == 0 end,
}

migration "tags are labels, and folders keep their notes" {
  pipeline = "../pipelines/notes.pipeline",
  store = {
    Folder = { home = { name = "Home" } },
    Tag = { shop = { name = "shop" } },
    Note = {
      milk = {
        title = "Milk", created = 0, priority = "high", folder = "home", tags = { "shop" },
      },
      bread = { title = "Bread", created = 1, folder = "home" },
    },
  },
  expect = {
    Label = { name = "shop", notes = { { title = "Milk" } } },
    Folder = { name = "Home", notes = { { title = "Bread" }, { title = "Milk" } } },
    Note = { { title = "Bread", priority = 0 }, { title = "Milk", priority = 1 } },
  },
}
