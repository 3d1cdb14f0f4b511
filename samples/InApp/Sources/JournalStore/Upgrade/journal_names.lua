-- Journal 2 -> 3: the author's name in two parts, and an object for each keyword of the list.
return {
  creates = { "Note", "Keyword" },
  create = function(note, new)
    local copy = new.Note(note)
    local names = text.split(text.trim(note.author or ""), " ")
    copy.familyName = #names > 0 and table.remove(names) or nil
    copy.givenName = #names > 0 and table.concat(names, " ") or nil
    local words = {}
    for _, word in ipairs(note.keywords and plist.decode(note.keywords) or {}) do
      words[#words + 1] = new.Keyword { word = word }
    end
    copy.words = words
    return copy
  end,
}
