-- Run with: pipeline test scripts
script "journal_keywords.lua" {
  entity = "Keyword", pipeline = "../pipelines/four-versions.pipeline", from = "Journal 3",
}

migration "keywords that are spelled alike become one, with the notes of both" {
  pipeline = "../pipelines/four-versions.pipeline", from = "Journal 3",
  store = {
    Keyword = { a = { word = "idea" }, b = { word = "idea" }, c = { word = "garden" } },
    Note = {
      one = { title = "A", created = 0, words = { "a", "c" } },
      two = { title = "B", created = 1, words = { "b" } },
    },
  },
  expect = {
    Keyword = {
      { word = "idea", notes = { { title = "A" }, { title = "B" } } },
      { word = "garden", notes = { { title = "A" } } },
    },
  },
}
