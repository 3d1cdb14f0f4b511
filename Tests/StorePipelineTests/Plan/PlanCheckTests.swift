import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Checks without a store", .temporaryFolder)
struct PlanCheckTests {
  @Test("the sample is right") func sample() throws {
    let folder = try PlanFolder.notes()
    #expect(Planner.check(try folder.pipeline()).problems == [])
  }

  private static let map = #"map { entity = "Note", attributes = { priority = 0 } }"#

  @Test(
    "what is wrong is reported with its line",
    arguments: [
      (
        #"stage "copy" { drop { "Note.dnoe" }, MAP, accept_loss = "Note.*" }"#,
        "notes.pipeline:3: drop: The source's Note has no stored property dnoe; did you mean done?"
      ),
      (
        #"stage "copy" { rename { entity = "Nite", to = "Note" }, MAP, accept_loss = "*" }"#,
        "notes.pipeline:3: rename: The source has no entity Nite; did you mean Note?"
      ),
      (
        #"stage "copy" { where { entity = "Tag", "nmae = 'x'" }, MAP, accept_loss = "*" }"#,
        #"notes.pipeline:3: cannot use the condition: entity Tag, where nmae = 'x'"#
      ),
      (
        #"stage "copy" { accept_loss = "*" }"#,
        "notes.pipeline:3: Note.priority: Core Data cannot turn String into Integer 16 (134190: "
          + "Source and destination attribute types are incompatible)."
      ),
      (
        #"stage "copy" { MAP, drop { "Note.priority" } }"#,
        "notes.pipeline:3: Note.done: The target has no place for it: what it holds would be lost."
      ),
    ])
  func mistakes(stages: String, message: String) throws {
    let text = PlanFolder.notesText(stages.replacing("MAP", with: Self.map))
    #expect(try PlanFolder.notes().check(text) == [message])
  }

  @Test("a name that any version of a chain has is no mistake, with a store as without")
  func chain() throws {
    let versions = ["t", "t x", "t y"].map { names in
      let attributes = names.split(separator: " ").map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }
      return "<entity name=\"A\">\(attributes.joined())</entity>"
    }
    let folder = try PlanFolder.models([versions[1], versions[2], versions[0]])
    let library = try ModelLibrary([folder.path("App.xcdatamodeld")])
    try SampleStore.make(of: library.model(named: "App"), at: folder.path("App.sqlite"), adding: "")
    func text(_ drops: String) -> String {
      PlanFolder.appText(
        """
        step "App 2" { stage "copy" { drop { "A.x" } } }
        step "App 3" { stage "copy" { drop { \(drops) } } }
        """)
    }
    let right = text(#""A.y", "A.x""#)
    #expect(try folder.check(right) == [])
    #expect(try folder.plan(right, store: "App.sqlite").problems == [])
    let wrong = text(#""A.y", "A.z""#)
    let problem = "notes.pipeline:4: drop: The source's A has no stored property z"
    #expect(try folder.check(wrong).allSatisfy { $0.hasPrefix(problem) })
    #expect(try folder.check(wrong).count == 1)
    let problems = try folder.plan(wrong, store: "App.sqlite").problems
    #expect(problems.map(\.line) == [4])
  }

  @Test("a step to a version that nothing comes before is never done: check warns of it")
  func unreached() throws {
    func item(_ more: String) -> String {
      "<entity name=\"A\"><attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>"
        + "\(more)</entity>"
    }
    let more = ["y", "z"].map {
      "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    let folder = try PlanFolder.models([item(""), item(more[0]), item(more[0] + more[1])])
    func warnings(_ versions: String...) throws -> [String] {
      let steps = versions.map { "step \"\($0)\" { stage \"copy\" {} }" }
      let text = PlanFolder.appText(
        steps.joined(separator: "\n"), header: "target = \"\(versions[versions.count - 1])\"")
      return Planner.check(try folder.pipeline(text)).warnings.map(\.message)
    }
    #expect(try warnings("App 2", "App 3") == [])
    let never =
      "step 'App' is never done: no version that the file takes comes before it, and a step has "
      + "the name of the version that it leads to"
    #expect(try warnings("App", "App 2") == [never])
    #expect(try warnings("App") == [never])
  }

  @Test("a text that is the name of an attribute which is not carried over was meant as its values")
  func nameAsText() throws {
    let folder = try PlanFolder.notes()
    try folder.write(#"return { attributes = { title = "title" } }"#, to: "a.lua")
    let map =
      #"map { entity = "Note", attributes = { body = "text", priority = 0, pinned = false } }"#
    let text = PlanFolder.notesText(
      """
      stage "copy" { \(map), accept_loss = "*" }
      stage "transform" { entity = "Note", script = "a.lua" }
      """)
    let warnings = [
      "notes.pipeline:3: Note.body gets the text \"text\" in all objects; for the values of "
        + "Note.text write body = from(\"text\")",
      "a.lua:1: Note.title gets the text \"title\" in all objects; for the values of Note.title "
        + "write title = from(\"title\")",
    ]
    let found = Planner.check(try folder.pipeline(text)).warnings.map {
      "\($0)".replacing(folder.path("") + "/", with: "").replacing(folder.path(""), with: "")
    }
    #expect(Set(found) == Set(warnings))
    let plan = try folder.plan(text, store: "Notes.sqlite")
    #expect(plan.warnings.count { $0.contains("gets the text") } == 2, "\(plan.warnings)")
    let plain = text.replacing("\"text\"", with: "\"a body\"").replacing("a.lua", with: "b.lua")
    try folder.write(#"return { attributes = { title = "done" } }"#, to: "b.lua")
    #expect(
      Planner.check(try folder.pipeline(plain)).warnings.map(\.message).count {
        $0.contains("Note.done")
      }
        == 1)
    #expect(Planner.check(try folder.pipeline(plain)).warnings.count == 1)
  }

  @Test("objects of an entity that is nowhere are refused, whatever it is called")
  func noEntity() throws {
    let folder = try PlanFolder.notes()
    try folder.write(
      "return { create = function(note, new)\n  new.Writer { name = 'x' }\n  new.old()\nend }",
      to: "a.lua")
    let text = PlanFolder.notesText(
      """
      stage "copy" { accept_loss = "*" }
      stage "transform" { entity = "Note", script = "a.lua" }
      """)
    #expect(try folder.check(text) == ["a.lua:2: 'Notes 2' has no entity 'Writer'"])
  }

  @Test("one script is given an entity's objects; a second transform is a mistake")
  func secondTransform() throws {
    let folder = try PlanFolder.notes()
    for name in ["a", "b"] {
      try folder.write(
        "return { attributes = { title = function(title) return title end } }", to: "\(name).lua")
    }
    let text = PlanFolder.notesText(
      """
      stage "copy" { \(Self.map), accept_loss = "*" }
      stage "transform" { entity = "Note", script = "a.lua" }
      stage "transform" { entity = "Note", script = "b.lua" }
      """)
    #expect(
      try folder.check(text) == [
        "notes.pipeline:5: a second transform of 'Note'; the first is on line 4, and one script is "
          + "given all of an entity's objects"
      ])
  }

  @Test(
    "what the file and a script both say of an attribute is a mistake: one would have no effect",
    arguments: [
      (
        "function(priority) return 1 end",
        #"map { entity = "Note", attributes = { priority = 2 } }"#, "map", "priority"
      ),
      ("2", #"map { entity = "Note", attributes = { priority = 3 } }"#, "map", "priority"),
      (
        "function(title) return title end",
        #"rename { entity = "Note", attributes = { text = "body" } }, \#(map)"#, "rename", "body"
      ),
    ])
  func doubled(value: String, rule: String, word: String, name: String) throws {
    let folder = try PlanFolder.notes()
    try folder.write("return {\n  attributes = { \(name) = \(value) },\n}\n", to: "a.lua")
    let text = PlanFolder.notesText(
      """
      stage "copy" { \(rule), accept_loss = "*" }
      stage "transform" { entity = "Note", script = "a.lua" }
      """)
    #expect(
      try folder.check(text) == [
        "notes.pipeline:3: \(word) and a.lua:2 both say what Note.\(name) is; take one of the two "
          + "out"
      ])
  }

  @Test("a `create` takes care of what it mentions; all else would be lost, and has to be named")
  func create() throws {
    let folder = try PlanFolder.notes()
    let text = PlanFolder.notesText(
      """
      stage "copy" { \(Self.map), drop { "Note.priority" } }
      stage "transform" { entity = "Note", script = "a.lua" }
      """)
    for (body, isLost) in [("copy.pinned = note.done", false), ("copy.pinned = true", true)] {
      try folder.write(
        """
        return { create = function(note, new, ctx)
          local copy = ctx.default()
          \(body)
          return copy
        end }
        """, to: "a.lua")
      #expect(
        try folder.check(text).map { $0.contains("Note.done") } == (isLost ? [true] : []), "\(body)"
      )
    }
  }

  @Test("expectations that cannot be understood are reported") func expectations() throws {
    let text = """
      pipeline "P" { format = 1, models = "Notes.xcdatamodeld" }
      stage "detect" {} stage "open" {} stage "copy" { \(Self.map), accept_loss = "*" }
      stage "validate" { expect = {
        { "tags", source = "count(Tag)", destination = "count(Tag)" } } }
      stage "swap" {}
      """
    let found = try PlanFolder.notes().check(text)
    #expect(found.count == 1 && found[0].hasPrefix("notes.pipeline:3: cannot use the expectation"))
  }

  @Test(
    "what is wrong with a script is reported with the script's line",
    arguments: [
      (
        "return {\n attributes = {\n  priority = function(prioirty) return 1 end } }",
        "s.lua:3: 'priority' is made from 'prioirty', and Note of 'Notes' has no such attribute;"
          + " did you mean 'priority'?"
      ),
      (
        "return {\n attributes = {\n  priority = 1,\n  bdoy = function(text) return text end } }",
        "s.lua:4: Note of 'Notes 2' has no attribute 'bdoy'; did you mean 'body'?"
      ),
      (
        "return {\n creates = { 'Note', 'Atachment' }, create = function() end }",
        "s.lua:2: 'Notes 2' has no entity 'Atachment'; did you mean 'Attachment'?"
      ),
    ])
  func scripts(script: String, message: String) throws {
    let folder = try PlanFolder.notes()
    try folder.write(script, to: "s.lua")
    let text = PlanFolder.notesText(
      #"stage "copy" { accept_loss = "*" } stage "transform" { entity = "Note", script = "s.lua" }"#
    )
    #expect(try folder.check(text) == [message])
  }

  @Test("an entity that no version has is reported where the transform names it")
  func entity() throws {
    let text = PlanFolder.notesText(
      #"stage "copy" { MAP, accept_loss = "*" }"#.replacing("MAP", with: Self.map)
        + "\n" + #"stage "transform" { entity = "Noet", script = "notes_priority.lua" }"#)
    #expect(
      try PlanFolder.notes().check(text) == [
        "notes.pipeline:4: 'Notes' has no entity 'Noet'; did you mean 'Note'?"
      ])
  }

  @Test("versions that are not there are all reported, with the nearest name")
  func versions() throws {
    let text = PlanFolder.notesText(
      #"stage "copy" {}"#, header: #"target = "Note 2", accept = { "Nodes" }"#)
    #expect(
      try PlanFolder.notes().check(text) == [
        "notes.pipeline:1: the models have no version 'Note 2'; did you mean 'Notes 2'?",
        "notes.pipeline:1: the models have no version 'Nodes'; did you mean 'Notes'?",
      ])
  }

  @Test("models that cannot be read are a mistake of the line that names them")
  func models() throws {
    let folder = try PlanFolder.notes()
    try folder.write("<model", to: "Notes.xcdatamodeld/Notes 2.xcdatamodel/contents")
    let found = try folder.check(PlanFolder.notesText(#"stage "copy" {}"#))
    #expect(found.count == 1 && found[0].hasPrefix("notes.pipeline:1: cannot read the model: "))
  }
}
