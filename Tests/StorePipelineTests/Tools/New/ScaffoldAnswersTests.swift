import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// What `new` offers, and what it writes once an answer is chosen.
extension PipelineScaffoldTests {
  /// Lifts with the name of a tool, and the versions in which a tool is an entity of its own.
  private static func lifts(
    _ tool: String, many: Bool, optional: Bool = true, _ more: String = ""
  )
    -> (before: String, after: String)
  {
    func link(_ name: String, _ to: String, _ inverse: String, many: Bool, optional: Bool) -> String
    {
      "<relationship name=\"\(name)\" \(optional ? "optional=\"YES\"" : "minCount=\"1\"") "
        + "\(many ? "toMany=\"YES\"" : "maxCount=\"1\"") destinationEntity=\"\(to)\" "
        + "inverseName=\"\(inverse)\" inverseEntity=\"\(to)\"/>"
    }
    let kilos = Self.attribute("kilos", "Integer 32", "optional=\"YES\"")
    return (
      Self.entity("Lift", kilos + Self.attribute(tool, "String", "optional=\"YES\"")),
      Self.entity("Lift", kilos + link("tool", "Tool", "lifts", many: false, optional: optional))
        + Self.entity(
          "Tool",
          Self.attribute("name", "String")
            + link("lifts", "Lift", "tool", many: many, optional: true) + more)
    )
  }

  @Test("an object is asked for a link only where its entity has had it")
  func inheritedLink() throws {
    func link(_ more: String) -> String {
      "<relationship name=\"box\" maxCount=\"1\" destinationEntity=\"Box\" \(more)/>"
    }
    let (parent, child) = ("isAbstract=\"YES\"", "parentEntity=\"Note\"")
    let text = Self.attribute("text", "String", "optional=\"YES\"")
    let scaffold = try write(
      Self.entity("Note", text, parent) + Self.entity("Memo", link("optional=\"YES\""), child)
        + Self.entity("Plan", "", child) + Self.entity("Box", ""),
      Self.entity("Note", text + link("minCount=\"1\""), parent) + Self.entity("Memo", "", child)
        + Self.entity("Plan", "", child) + Self.entity("Box", ""))
    #expect(scaffold.decisions.map(\.name) == ["Note.box"])
    #expect(self.text(scaffold, "memo.lua").contains("if not memo.box then copy.box = new.Box {}"))
    #expect(self.text(scaffold, "plan.lua").contains("copy.box = new.Box {}"))
    #expect(!self.text(scaffold, "plan.lua").contains("plan.box"))
  }

  @Test(
    "a text that became a link to a new entity is offered what moves it",
    arguments: [("tool", true), ("tool", false), ("toolName", true), ("device", true)],
    [true, false])
  func linked(_ old: (name: String, isShared: Bool), isOptional: Bool) async throws {
    let models = Self.lifts(old.name, many: old.isShared, optional: isOptional)
    let scaffold = try write(models.before, models.after)
    let decision = try #require(scaffold.decisions.first { $0.name == "Lift.\(old.name)" })
    let answer = try #require(decision.answers.first)
    #expect(answer.text == "new.Tool with name from \(old.name)")
    #expect(answer.note.contains("share one") == old.isShared)
    let chosen = try write(models.before, models.after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(chosen.decisions.map(\.name) == [])
    #expect(try await faults(chosen) == [])
    let tools = old.isShared ? "{}, {}" : "{}, {}, {}"
    try Data(
      """
      migration "tools" {
        pipeline = "m_2.pipeline",
        store = { Lift = {
          a = { kilos = 1, \(old.name) = "bar" }, b = { kilos = 2, \(old.name) = "bar" },
          c = { kilos = 3, \(old.name) = "bell" } } },
        expect = {
          Lift = {
            { kilos = 1, tool = { name = "bar" } }, { kilos = 2, tool = { name = "bar" } },
            { kilos = 3, tool = { name = "bell" } } },
          Tool = { \(tools) },
        },
      }
      """.utf8
    ).write(to: TemporaryFolder.url.appending(path: "own_test.lua"))
    let own = TemporaryFolder.url.appending(path: "own_test.lua").path
    #expect(try await ScriptTests([own]).run().results.flatMap(\.failure) == [])
  }

  @Test("what moves to a new object is offered its own places, and the answer names them")
  func places() throws {
    func texts(_ optional: String...) -> String {
      optional.map { Self.attribute($0, "String", "optional=\"YES\"") }.joined()
    }
    let link =
      "<relationship name=\"location\" optional=\"YES\" maxCount=\"1\" "
      + "destinationEntity=\"Address\"/>"
    func places(_ street: String) throws -> String? {
      try write(
        Self.entity("Building", texts("address", "city", "zip")),
        Self.entity("Building", link) + Self.entity("Address", texts("city", "postalCode") + street)
      ).decisions.first { $0.name == "Building.zip" }?.answers.first?.text
    }
    let mandatory = Self.attribute("street", "String", "defaultValueString=\"\"")
    #expect(
      try places(mandatory) == "new.Address with street from address, city, postalCode from zip")
    // Which of two places an address has is not guessed.
    #expect(try places(texts("street")) == #"drop { "Building.zip" }"#)
  }

  @Test("what an answer moves to a new entity stays what it is when others follow")
  func linkedTwice() throws {
    let models = Self.lifts("toolName", many: true)
    let before = models.before.replacing(
      "<attribute name=\"kilos\"",
      with: Self.attribute("state", "String", "optional=\"YES\"") + "<attribute name=\"kilos\"")
    let scaffold = try write(before, models.after)
    let decision = try #require(scaffold.decisions.first { $0.name == "Lift.toolName" })
    let chosen = try write(before, models.after) { choices in
      choices.answers[decision] = decision.answers.first
    }
    #expect(chosen.decisions.map(\.name) == ["Lift.state"])
    #expect(chosen.decisions.first?.answers.map(\.text) == [#"drop { "Lift.state" }"#])
    #expect(text(chosen, "lift.lua").contains("{ name = lift.toolName }"))
    #expect(!text(chosen, "lift.lua").contains("lift.state"))
  }

  @Test("objects that share one warn where their other values differ, and lose none in silence")
  func sharedValues() async throws {
    let maker = Self.attribute("maker", "String", "optional=\"YES\"")
    let models = Self.lifts("tool", many: true, maker)
    let unique =
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"name\"/>"
      + "</uniquenessConstraint></uniquenessConstraints></entity>"
    let before = models.before.replacing("</entity>", with: maker + "</entity>")
    let after = String(models.after.dropLast("</entity>".count)) + unique
    let scaffold = try write(before, after)
    let answer = try #require(scaffold.decisions.first?.answers.first)
    #expect(
      answer.note.hasSuffix(
        "objects with the same tool share one, and the maker of the first counts"))
    let chosen = try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(chosen.decisions.map(\.name) == [])
    let faults = try await faults(chosen)
    #expect(faults == [])
    #expect(text(chosen, "lift.lua").contains("What maker and tool held is in Tool from now on."))
    let path = TemporaryFolder.url.appending(path: "App.sqlite").path
    try SampleStore.make(
      of: ModelText.model(before, name: "M"), at: path,
      adding: """
        INSERT INTO ZLIFT (Z_PK, Z_ENT, Z_OPT, ZTOOL, ZMAKER) VALUES
          (1, 1, 1, 'bar', 'ACME'), (2, 1, 1, 'bar', 'Zed'), (3, 1, 1, 'bar', NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3;
        """)
    let file = TemporaryFolder.url.appending(path: "m_2.pipeline").path
    let plan = try Planner(pipeline: PipelineFile(path: file).pipeline()).plan(store: Store(path))
    let summary = try await Run(plan, store: path, options: RunOptions()).findings().summary
    let warnings = summary.warnings.filter { $0.contains("a shared Tool has another maker") }
    #expect(warnings.count == 1, "\(summary.warnings)")
  }

  @Test("objects of an entity that is gone are offered the entity that it inherited from")
  func dissolved() async throws {
    func child(_ name: String, _ body: String) -> String {
      Self.entity(name, body, "parentEntity=\"Message\"")
    }
    let sent = Self.attribute("sent", "Date")
    let text = Self.attribute("text", "String", "optional=\"YES\"")
    let before =
      Self.entity("Message", sent, "isAbstract=\"YES\"") + child("Photo", "")
      + child("Letter", text)
    let after = Self.entity("Message", sent + text)
    let scaffold = try write(before, after)
    #expect(
      scaffold.decisions.map { $0.answers.map(\.text) } == [
        [#"map { entity = "Message", from = "Letter" }"#, #"drop { "Letter" }"#],
        [#"map { entity = "Message", from = "Photo" }"#, #"drop { "Photo" }"#],
      ])
    let chosen = try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(chosen.decisions == [])
    #expect(try await faults(chosen) == [])
  }

  @Test("when one of two entities has become a new one, the other is offered to join it")
  func joined() async throws {
    let body = Self.attribute("name", "String") + Self.attribute("phone", "String")
    let before = Self.entity("Electrician", body) + Self.entity("Plumber", body)
    let after = Self.entity("Contractor", body)
    let scaffold = try write(before, after)
    let first = try #require(scaffold.decisions.first { $0.name == "Electrician" })
    let renamed = try write(before, after) { $0.answers[first] = first.answers.first }
    let second = try #require(renamed.decisions.first)
    #expect(
      second.answers.map(\.line) == [
        #"map { entity = "Contractor", from = "Plumber" }   2 of 2 properties have the same name"#,
        #"drop { "Plumber" }"#,
      ])
    let chosen = try write(before, after) { choices in
      choices.answers = [first: first.answers[0], second: second.answers[0]]
    }
    #expect(chosen.decisions == [])
    #expect(try await faults(chosen) == [])
  }

  @Test("a link to one that became a link to many is offered its new name")
  func manyLinks() async throws {
    func model(_ name: String, _ count: String) -> String {
      Self.entity(
        "Person",
        "<relationship name=\"\(name)\" optional=\"YES\" \(count) "
          + "destinationEntity=\"Team\" inverseName=\"people\" inverseEntity=\"Team\"/>")
        + Self.entity(
          "Team",
          Self.attribute("label", "String", "optional=\"YES\"")
            + "<relationship name=\"people\" optional=\"YES\" toMany=\"YES\" "
            + "destinationEntity=\"Person\" inverseName=\"\(name)\" inverseEntity=\"Person\"/>")
    }
    let (one, many) = (model("team", "maxCount=\"1\""), model("teams", "toMany=\"YES\""))
    let ordered = many.replacing(
      "toMany=\"YES\" destinationEntity=\"Team\"",
      with: "toMany=\"YES\" ordered=\"YES\" destinationEntity=\"Team\"")
    for (before, after) in [(one, many), (one, ordered), (many, one)] {
      let scaffold = try write(before, after)
      let answers = scaffold.decisions.first { $0.name.hasPrefix("Person.team") }?.answers
      #expect(answers?.first?.text.hasPrefix("rename { entity = \"Person\"") == true)
      let chosen = try write(before, after) { choices in
        for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
      }
      #expect(chosen.decisions.map(\.name) == [])
      let faults = try await faults(chosen)
      #expect(faults == [])
    }
  }

  @Test("a text that becomes a number that must be there passes check with each of its answers")
  func numbers() async throws {
    let before = Self.entity("Note", Self.attribute("state", "String", "optional=\"YES\""))
    let after = Self.entity("Note", Self.attribute("state", "Integer 16"))
    let scaffold = try write(before, after)
    let decision = try #require(scaffold.decisions.first)
    for answer in decision.answers {
      let chosen = try write(before, after) { $0.answers[decision] = answer }
      #expect(chosen.decisions.map(\.name) == [])
      #expect(try await faults(chosen) == [], "\(answer)")
    }
    #expect(decision.answers.contains { $0.text.contains("tonumber(state)") })
  }

  @Test("where the store has texts that no number is, a conversion is not taken by itself")
  func choices() async throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let file = try ModelFile(TemporaryFolder.url.appending(path: "Notes.xcdatamodeld").path)
    let path = TemporaryFolder.url.appending(path: "Notes.sqlite").path
    try SampleStore.change(path, by: "UPDATE ZNOTE SET ZPRIORITY = 'high'")
    let versions = [try file.model(named: "Notes"), try file.model(named: "Notes 2")]
    var choices = PipelineScaffold.Choices(models: ["Notes.xcdatamodeld"], versions: versions)
    choices.samples = try .init([(store: try Store(path), version: versions[0])])
    let scaffold = PipelineScaffold(choices)
    let decision = try #require(scaffold.decisions.first { $0.name == "Note.priority" })
    #expect(decision.why.contains("3 of 3 values in the store cannot be converted"))
    #expect(decision.answers.first?.text.contains("({ high = 0 })[priority]") == true)
    #expect(decision.answers.last?.text.contains("convert(\"priority\"") == true)
    choices.answers[decision] = decision.answers.first
    let lost = try #require(scaffold.decisions.first { $0.name == "Note.done" })
    choices.answers[lost] = lost.answers.last
    let chosen = try write(PipelineScaffold(choices))
    #expect(chosen.decisions.map(\.name) == [])
    #expect(try await faults(chosen) == [])
  }

  @Test("a text that is a number stays that number where others are none")
  func mixedTexts() throws {
    let before = Self.entity("Note", Self.attribute("rank", "String", "optional=\"YES\""))
    let after = Self.entity("Note", Self.attribute("rank", "Integer 16", "optional=\"YES\""))
    let versions = [
      try ModelText.model(before, name: "M"), try ModelText.model(after, name: "M 2"),
    ]
    let path = TemporaryFolder.url.appending(path: "App.sqlite").path
    try SampleStore.make(
      of: versions[0], at: path,
      adding: """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZRANK) VALUES
          (1, 1, 1, '1'), (2, 1, 1, '2'), (3, 1, 1, 'x'), (4, 1, 1, '1'), (5, 1, 1, '2'),
          (6, 1, 1, 'x');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 6;
        """)
    var choices = PipelineScaffold.Choices(models: ["M.xcdatamodeld"], versions: versions)
    choices.samples = try .init([(store: try Store(path), version: versions[0])])
    let decision = try #require(PipelineScaffold(choices).decisions.first)
    #expect(decision.why.contains("2 of 6 values in the store cannot be converted"))
    #expect(decision.answers.first?.text.contains("(tonumber(rank) or error(") == true)
    #expect(!decision.answers.contains { $0.text.contains("({") })
  }

  @Test("objects without a link that becomes mandatory get one, stay behind or end the run")
  func links() async throws {
    func model(_ more: String) -> String {
      let (many, note) = ("optional=\"YES\" toMany=\"YES\"", Self.attribute("title", "String"))
      return Self.entity(
        "Note",
        note + "<relationship name=\"folder\" \(more) maxCount=\"1\" "
          + "destinationEntity=\"Folder\" inverseName=\"notes\" inverseEntity=\"Folder\"/>")
        + Self.entity(
          "Folder",
          "<relationship name=\"notes\" \(many) destinationEntity=\"Note\" "
            + "inverseName=\"folder\" inverseEntity=\"Note\"/>")
    }
    let (before, after) = (model("optional=\"YES\""), model(""))
    let decision = try #require(try write(before, after).decisions.first)
    #expect(decision.answers.map(\.kind) == [.script, .rule, .leave])
    #expect(decision.answers[1].text == #"where { entity = "Note", "folder IS NOT NULL" }"#)
    for answer in decision.answers {
      let chosen = try write(before, after) { $0.answers[decision] = answer }
      #expect(chosen.decisions.map(\.name) == [])
      #expect(try await faults(chosen) == [], "\(answer)")
    }
  }

  @Test("values that all objects have come first where all must have one")
  func claims() throws {
    let scaffold = try write(
      Self.entity(
        "Note",
        Self.attribute("title", "String") + Self.attribute("city", "String", "optional=\"YES\"")),
      Self.entity("Note", Self.attribute("label", "String")))
    let city = scaffold.decisions.first { $0.name == "Note.city" }
    #expect(city?.answers.map(\.text) == [#"drop { "Note.city" }"#])
    let identified = try write(
      Self.entity("Note", Self.attribute("city", "String", "optional=\"YES\"")),
      Self.entity("Note", Self.attribute("code", "UUID")))
    let lost = identified.decisions.first { $0.name == "Note.city" }
    #expect(lost?.answers.map(\.text) == [#"drop { "Note.city" }"#], "a text is no identifier")
    let title = scaffold.decisions.first { $0.name == "Note.title" }
    #expect(title?.answers.first?.text.contains(#"label = from("title")"#) == true)
  }

  @Test("one value for all in place of those that are there is offered last")
  func constants() throws {
    let scaffold = try write(
      Self.entity("Note", Self.attribute("done", "String", "optional=\"YES\"")),
      Self.entity("Note", Self.attribute("done", "Boolean", "optional=\"YES\"")))
    let answers = scaffold.decisions.first?.answers.map(\.text) ?? []
    #expect(answers.first?.hasPrefix("done = function(done)") == true, "\(answers)")
    #expect(answers.last?.hasSuffix(#"drop { "Note.done" }"#) == true, "\(answers)")
  }
}
