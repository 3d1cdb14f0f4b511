import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Mandatory attributes that nothing fills", .temporaryFolder)
struct UnfilledAttributesTests {
  private static func text(_ name: String, _ more: String = "optional=\"YES\"") -> String {
    "<attribute name=\"\(name)\" attributeType=\"String\" \(more)/>"
  }

  /// A store of notes; the second version wants a code, and the third calls the text body.
  private func folder() throws -> PlanFolder {
    func note(_ body: String) -> String { "<entity name=\"Note\">\(body)</entity>" }
    let code = Self.text("code", "") + Self.text("hint")
    let folder = try PlanFolder.models([
      note(Self.text("text")), note(Self.text("text") + code), note(Self.text("body") + code),
    ])
    for (name, body) in [
      ("function", #"attributes = { code = function(text) return text or "" end }"#),
      ("maker", Self.creating(#"copy.code = "x""#)),
      ("constructor", Self.creating(#"return new.Note { text = note.text, code = "x" }"#)),
      ("later", #"relate = function(object, ctx) object.code = "x" end"#),
      ("computed", #"created = function(note, new) new["co" .. "de"] = "x" end"#),
      ("forgetful", Self.creating("copy.text = note.text")),
    ] {
      try folder.write("return { \(body) }", to: "\(name).lua")
    }
    return folder
  }

  private static func creating(_ body: String) -> String {
    """
    creates = { "Note" },
    create = function(note, new)
      local copy = new.Note(note)
      do \(body) end
      return copy
    end
    """
  }

  private static func direct(_ stages: String) -> String {
    PlanFolder.appText(stages, header: "accept = { \"App\" }, target = \"App 2\"")
  }

  private static func transform(_ script: String) -> String {
    #"stage "copy" {} stage "transform" { entity = "Note", script = "SCRIPT.lua" }"#
      .replacing("SCRIPT", with: script)
  }

  private static let unfilled =
    "notes.pipeline:3: Note.code: It is mandatory and has no default, and nothing gives it a value."

  @Test(
    "one is a mistake in the file, unless a rule or a script gives it a value",
    arguments: [
      (#"stage "copy" {}"#, true),
      (#"stage "copy" { map { entity = "Note", attributes = { code = "x" } } }"#, false),
      (transform("function"), false), (transform("maker"), false),
      (transform("constructor"), false), (transform("later"), false),
      // Which attribute that is shows once the script runs.
      (transform("computed"), false),
    ])
  func given(stages: String, isMistake: Bool) throws {
    let found = try folder().check(Self.direct(stages))
    #expect(found == (isMistake ? [Self.unfilled] : []))
  }

  @Test(
    "a script that makes objects without one is a mistake in the script, on its line",
    arguments: [
      ("local copy = new.Note(note) copy.text = note.text return copy", true),
      ("return new.Note { text = note.text }", true), ("return new.Note({ text = 1 })", true),
      ("return new.Note()", true), ("return ctx.default()", true),
      // It is read, and not given.
      ("if note.code then return nil end return new.Note { text = 'x' }", true),
      // Whether it does so for each shows once the script runs.
      ("local a = new.Note {} if note.text then a.code = 'x' end return a", false),
      ("local a = new.Note {} a.text, a.code = 'x', 'y' return a", false),
      ("local a = new.Note {} a['code'] = 'x' return a", false),
      ("local a = new.Note {} for k, v in pairs { code = 'x' } do a[k] = v end return a", false),
      // What is in the table shows once the script runs.
      ("local values = { text = 'x' } return new.Note(values)", false),
      ("return nil", false),
    ])
  func forgotten(body: String, isMistake: Bool) throws {
    let folder = try folder()
    try folder.write(
      "return { creates = { \"Note\" },\ncreate = function(note, new, ctx)\n\(body)\nend }",
      to: "made.lua")
    let found = try folder.check(Self.direct(Self.transform("made")))
    #expect(
      found
        == (isMistake
          ? [
            "made.lua:3: it makes a Note without 'code', which is mandatory and has no default; "
              + "give it a value, as in { code = \"\" }"
          ] : []))
  }

  @Test("what a script forgets is no mistake where something else gives it")
  func forgottenAndGiven() throws {
    let folder = try folder()
    try folder.write(
      "return { creates = { \"Note\" }, create = function(note, new) return new.Note {} end,\n"
        + "relate = function(object) object.code = \"x\" end }", to: "made.lua")
    #expect(try folder.check(Self.direct(Self.transform("made"))) == [])
  }

  @Test(
    "one that several entities inherit is one mistake, which names them",
    arguments: [(2, "Memo1 and Memo2"), (5, "Memo1, Memo2, Memo3 and 2 more")])
  func heirs(count: Int, names: String) throws {
    func family(_ code: String) -> String {
      "<entity name=\"Note\" isAbstract=\"YES\">\(Self.text("text"))\(code)</entity>"
        + (1...count).map { "<entity name=\"Memo\($0)\" parentEntity=\"Note\"/>" }.joined()
    }
    let folder = try PlanFolder.models([family(""), family(Self.text("code", ""))])
    let found = try folder.check(Self.direct(#"stage "copy" {}"#))
    #expect(
      found == [
        "notes.pipeline:3: Note.code: It is mandatory and has no default, and nothing gives it a "
          + "value in \(names)."
      ])
    let rule = #"stage "copy" { map { entity = "Note", attributes = { code = "x" } } }"#
    #expect(try folder.check(Self.direct(rule)) == [])
    let first = #"stage "copy" { map { entity = "Memo1", attributes = { code = "x" } } }"#
    #expect(try folder.check(Self.direct(first)).count == 1)
  }

  @Test("what a file lists as undecided is said once")
  func undecided() throws {
    let found = try folder().check(
      Self.direct(#"stage "copy" { undecided { "Note.code" } }"#))
    #expect(
      found == [
        "notes.pipeline:3: Note.code is undecided. It is mandatory, and nothing gives it a value."
      ])
  }

  @Test("what is undecided of a parent is said once, and not of each that inherits it")
  func inherited() throws {
    func family(_ code: String) -> String {
      """
      <entity name="Note" isAbstract="YES">\(Self.text("text"))\(code)</entity>
      <entity name="Memo" parentEntity="Note"/><entity name="Letter" parentEntity="Note"/>
      """
    }
    let folder = try PlanFolder.models([family(""), family(Self.text("code", ""))])
    let found = try folder.check(
      Self.direct(#"stage "copy" { undecided { "Note.code" } }"#))
    #expect(
      found == [
        "notes.pipeline:3: Note.code is undecided. It is mandatory, and nothing gives it a value."
      ])
  }

  @Test("what a later step lists as undecided is said of that step alone")
  func undecidedLater() throws {
    func note(_ more: String) -> String {
      "<entity name=\"Note\">\(Self.text("text"))\(more)</entity>"
    }
    let folder = try PlanFolder.models([
      note(""), note(Self.text("code")), note(Self.text("code", "")),
    ])
    func steps(_ rule: String) -> String {
      PlanFolder.appText(
        """
        step "App 2" { stage "copy" {} }
        step "App 3" { stage "copy" { \(rule) } }
        """, header: "accept = { \"App\" }, target = \"App 3\"")
    }
    #expect(try folder.check(steps("")) == [Self.unfilled])
    #expect(
      try folder.check(steps(#"undecided { "Note.code" }"#)) == [
        "notes.pipeline:4: Note.code is undecided. It is mandatory, and objects without a value "
          + "end the run."
      ])
  }

  @Test("in a chain the step is named that would have to give it")
  func chain() throws {
    func steps(_ first: String, _ second: String) -> String {
      PlanFolder.appText(
        """
        step "App 2" { stage "copy" { \(first) } }
        step "App 3" {
          stage "copy" { rename { entity = "Note", attributes = { text = "body" } }\(second) }
        }
        """, header: "accept = { \"App\" }, target = \"App 3\"")
    }
    let rule = #"map { entity = "Note", attributes = { code = "x" } }"#
    #expect(try folder().check(steps("", "")) == [Self.unfilled])
    #expect(try folder().check(steps(rule, "")) == [])
    #expect(try !folder().check(steps("", ", " + rule)).contains(Self.unfilled))
  }

  @Test("a store without such objects has none that would be without it")
  func store() throws {
    let folder = try folder()
    let model = try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App")
    try SampleStore.make(of: model, at: folder.path("none.sqlite"), adding: "")
    try SampleStore.make(
      of: model, at: folder.path("one.sqlite"),
      adding: """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 1
        """)
    let text = Self.direct(#"stage "copy" {}"#)
    #expect(try folder.plan(text, store: "none.sqlite").problems.isEmpty)
    #expect(try folder.plan(text, store: "one.sqlite").problems.count == 1)
  }

  @Test("a plan says \"script\" of the attributes that a script mentions, and of no others")
  func words() throws {
    let plan = try folder().plan(Self.direct(Self.transform("maker")))
    let attributes = plan.steps[0].entities[0].attributes
    let rules = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0.rule) })
    #expect(rules == ["code": "scripted", "hint": "NULL", "text": "same"])
  }
}
