-- Notes 2 -> 3: the name of an author becomes a person, who is there once.
return {
  creates = { "Note", "Person" },
  create = function(note, new, ctx)
    local copy, name = new.Note(note), note.author
    local known = name and ctx.find("Person", { name = name })[1]
    copy.writer = known or name and new.Person { name = name }
    return copy
  end,
}
