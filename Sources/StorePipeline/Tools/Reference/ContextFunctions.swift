extension ScriptReference {
  /// The functions of `ctx`; the examples are for the notes of samples/Notes.
  static let contextFunctions = [
    ScriptFunction(
      "ctx.default", "source?: any", "any",
      "In `create`: makes what the mapping would make; without `source`, from the current object.",
      .script(
        """
        create = function(note, new, ctx)
          return ctx.default()
        end,
        """, leaves: "Note", count: 3)),
    ScriptFunction(
      "ctx.skip", "reason: string", "", "Leaves the current object out; the run counts it.",
      .script(
        """
        create = function(note, new, ctx)
          if not note.text then ctx.skip("nothing is written") end
          return new.Note(note)
        end,
        """, leaves: "Note", count: 2)),
    ScriptFunction(
      "ctx.reject", "reason: string", "", "Rejects the current object, with the reason.",
      .script(
        """
        create = function(note, new, ctx)
          if not note.text then ctx.reject("nothing is written") end
          return new.Note(note)
        end,
        """, leaves: "Note", count: 2)),
    ScriptFunction(
      "ctx.warn", "text: string", "",
      "Adds a warning to the summary; the run continues.",
      .script(
        """
        create = function(note, new, ctx)
          if not note.text then ctx.warn("a note is empty") end
          return new.Note(note)
        end,
        """, leaves: "Note", count: 3)),
    ScriptFunction(
      "ctx.fail", "reason: string", "", "Ends the run; the store is as it was.",
      .failure(
        """
        validate = function(ctx)
          if ctx.count("Note", "body = nil") > 0 then ctx.fail("a note is empty") end
        end,
        """, message: "a note is empty")),
    ScriptFunction(
      "ctx.destinations", "source: any", "any[]",
      "The objects made from an object of the source; none if its turn has not come yet: the stage "
        + "of its entity has to stand above, or the script has to ask in `relate`.",
      .script(
        """
        create = function(note, new, ctx)
          local copy = new.Note(note)
          local folder = note.folder and ctx.destinations(note.folder)[1]
          if folder then copy.body = folder.name end
          return copy
        end,
        """, leaves: "Note where body = 'Home'", count: 2)),
    ScriptFunction(
      "ctx.sources", "object: any", "any[]", "The objects of the source from which it was made.",
      .script(
        """
        relate = function(note, ctx)
          note.body = ctx.sources(note)[1].priority
        end,
        """, leaves: "Note where body = 'high'", count: 1)),
    ScriptFunction(
      "ctx.find", "entity: string, where?: string|table", "any[]",
      "Objects of the new store, 10,000 at most; `where` is a condition, or a table of names and "
        + "values that must be equal. An index finds equal values.",
      .script(
        """
        relate = function(note, ctx)
          note.body = ctx.find("Folder", { name = "Work" })[1].name
        end,
        """, leaves: "Note where body = 'Work'", count: 3)),
    ScriptFunction(
      "ctx.count", "entity: string, where?: string|table", "integer",
      "How many objects of the new store there are.",
      .script(
        """
        finish = function(ctx)
          if ctx.count("Note", "folder != nil") < 3 then ctx.warn("a note has no folder") end
        end,
        """, leaves: "Note where folder != nil", count: 3)),
    ScriptFunction(
      "ctx.random", "low?: integer, high?: integer", "number",
      "A number that is the same whenever the object is made again in this run: from 0 to 1, from "
        + "1 to one number, or between two.",
      .script(
        """
        create = function(note, new, ctx)
          local copy = new.Note(note)
          copy.priority = ctx.random(5, 9)
          return copy
        end,
        """, leaves: "Note where priority >= 5 AND priority <= 9", count: 3)),
    ScriptFunction(
      "ctx.key", "", "integer",
      "The key of the current object, Z_PK: no other object of the source's table has it.",
      .script(
        """
        attributes = {
          priority = 0,
          body = function(ctx) return "Note " .. ctx.key() end,
        },
        """, leaves: "Note where body = 'Note 2'", count: 1)),
  ]

  /// The words that stand in a script's file.
  static let words = [
    ScriptFunction(
      "from", "attribute: string", "any",
      "Says that a value is that of an attribute of the source, under another name; no Lua runs.",
      .script(
        """
        attributes = {
          priority = 0,
          body = from "title",
        },
        """, leaves: "Note where body = title", count: 3)),
    ScriptFunction(
      "require", "name: string", "any",
      "Loads `name.lua` next to the script, once, and gives what it returns; dots are folders. "
        + "Inside a function it gives only what the file has loaded.",
      .value(#"require("double")(4)"#, gives: "8")),
  ]
}
