-- Journal 2 -> 3: the author's name in two parts, and an object for each keyword of the list.
return {
  creates = { "Note", "Keyword" },
  create = function(note, new)
    local copy = new.Note(note)
    -- The last word is the family's name; an author without any word has none.
    local given, family = text.trim(note.author or ""):match("^(.-)%s*(%S+)$")
    copy.familyName = family
    copy.givenName = given ~= "" and given or nil
    local words = {}
    for _, word in ipairs(note.keywords and plist.decode(note.keywords) or {}) do
      words[#words + 1] = new.Keyword { word = word }
    end
    copy.words = words
    return copy
  end,
}
