-- Notes 2 -> 3: the name of an author becomes a person, who is there once.
return {
  creates = { "Note", "Person" },
  create = function(note, new, ctx)
    local copy = new.Note(note)
    if note.author then
      local known = ctx.find("Person", { name = note.author })[1]
      copy.writer = known or new.Person { name = note.author }
    end
    return copy
  end,
}
