-- Run with: pipeline test scripts
script "journal_names.lua" {
  entity = "Note", pipeline = "../pipelines/four-versions.pipeline", from = "Journal 2",
}

case "the last word is the family's" {
  given = {
    { title = "A", created = 0, author = "Grace Brewster Hopper" },
    { title = "B", created = 0, author = " Euclid " },
    { title = "C", created = 0 },
  },
  expect = {
    Note = {
      { title = "A", givenName = "Grace Brewster", familyName = "Hopper" },
      { title = "B", familyName = "Euclid" },
      { title = "C" },
    },
  },
}

case "each keyword of the list is an object" {
  given = { title = "A", created = 0, keywords = plist.archive { "idea", "garden" } },
  expect = {
    Note = { title = "A", words = { { word = "idea" }, { word = "garden" } } },
    Keyword = { { word = "idea" }, { word = "garden" } },
  },
}
