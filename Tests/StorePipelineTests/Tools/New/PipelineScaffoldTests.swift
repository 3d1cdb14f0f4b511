import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("New pipelines", .temporaryFolder)
struct PipelineScaffoldTests {
  static func entity(_ name: String, _ body: String, _ more: String = "") -> String {
    "<entity name=\"\(name)\" \(more)>\(body)</entity>"
  }

  static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
  }

  /// Writes a scaffold for two versions with these insides; gives back its files.
  func write(
    _ before: String, _ after: String, _ mapping: MappingModel? = nil,
    _ change: (inout PipelineScaffold.Choices) -> Void = { _ in }
  ) throws -> PipelineScaffold {
    let folder = TemporaryFolder.url.appending(path: "M.xcdatamodeld")
    for (name, body) in [("M", before), ("M 2", after)] {
      let version = folder.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data("<?xml version=\"1.0\"?><model documentVersion=\"1.0\">\(body)</model>".utf8)
        .write(to: version.appending(path: "contents"))
    }
    let file = try ModelFile(folder.path)
    var choices = PipelineScaffold.Choices(
      models: ["M.xcdatamodeld"],
      versions: [try file.model(named: "M"), try file.model(named: "M 2")])
    choices.mapping = mapping
    change(&choices)
    return try write(PipelineScaffold(choices))
  }

  func write(_ scaffold: PipelineScaffold) throws -> PipelineScaffold {
    for file in scaffold.files {
      try Data(file.text.utf8).write(to: TemporaryFolder.url.appending(path: file.name))
    }
    return scaffold
  }

  /// What `check` and `test` have against a scaffold, beyond the decisions that it lists.
  func faults(_ scaffold: PipelineScaffold) async throws -> [String] {
    let name = try #require(scaffold.files.first?.name)
    let path = TemporaryFolder.url.appending(path: name).path
    let problems = Planner.check(try PipelineFile(path: path).pipeline()).problems.map(\.message)
    let undecided = problems.filter { $0.contains(" is undecided. ") }
    #expect(undecided.count == scaffold.decisions.count, "\(problems)")
    let tests = TemporaryFolder.url.appending(path: try #require(scaffold.files.last?.name)).path
    let summary = try await ScriptTests([tests]).run()
    #expect(!summary.results.isEmpty)
    return scaffold.unsettled + problems.filter { !undecided.contains($0) }
      + summary.problems.map(\.description) + summary.results.flatMap(\.failure)
  }

  func text(_ scaffold: PipelineScaffold, _ name: String) -> String {
    scaffold.files.first { $0.name == name }?.text ?? ""
  }

  private static let before =
    entity(
      "Item",
      attribute("name", "String") + attribute("size", "String", "optional=\"YES\"")
        + attribute("old", "String", "optional=\"YES\"")
        + "<relationship name=\"boxes\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Box\" "
        + "inverseName=\"items\" inverseEntity=\"Box\"/>")
    + entity(
      "Box",
      attribute("label", "String", "optional=\"YES\"")
        + "<relationship name=\"items\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Item\" "
        + "inverseName=\"boxes\" inverseEntity=\"Item\"/>")
    + entity("Visit", attribute("at", "Date"))

  private static let after =
    entity(
      "Item",
      attribute("name", "String") + attribute("size", "Integer 32")
        + attribute("code", "UUID") + attribute("price", "Decimal", "defaultValueString=\"0\"")
        + "<relationship name=\"boxes\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Box\" "
        + "inverseName=\"items\" inverseEntity=\"Box\"/>")
    + entity(
      "Box",
      attribute("label", "String")
        + "<relationship name=\"items\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Item\" "
        + "inverseName=\"boxes\" inverseEntity=\"Item\"/>")
    + entity("Note", attribute("text", "String", "optional=\"YES\""))

  @Test("nothing is decided: what is left is listed, and all else passes check and test")
  func everything() async throws {
    let scaffold = try write(Self.before, Self.after)
    #expect(try await faults(scaffold) == [])
    #expect(scaffold.files.map(\.name) == ["m_2.pipeline", "box.lua", "item.lua", "m_2_test.lua"])
    #expect(
      scaffold.decisions.map(\.name).sorted()
        == ["Box.label", "Item.boxes", "Item.code", "Item.old", "Item.size", "Visit"])
    let rules = text(scaffold, "m_2.pipeline").split(separator: "\n").map {
      $0.drop { $0 == " " }
    }
    #expect(!rules.contains { $0.hasPrefix("drop {") || $0.hasPrefix("one {") })
    #expect(
      rules.contains(
        "map { entity = \"Item\", attributes = { size = convert(\"size\", \"Integer 32\") } },"))
    #expect(text(scaffold, "m_2.pipeline").contains("--   Note: new, and empty"))
    let item = text(scaffold, "item.lua")
    #expect(item.contains("code = function() return uuid.named(\"code\") end,"))
    #expect(item.contains("--   name: same"))
  }

  @Test("each decision has the answers that are likely, and they settle it")
  func answers() async throws {
    let scaffold = try write(Self.before, Self.after)
    let answers = Dictionary(
      uniqueKeysWithValues: scaffold.decisions.map { ($0.name, $0.answers.map(\.text)) })
    #expect(answers["Visit"] == ["drop { \"Visit\" }"])
    #expect(
      answers["Item.boxes"] == [
        "one { \"Item.boxes\", keep = \"first\" }", "one { \"Item.boxes\", keep = \"last\" }",
      ])
    #expect(
      answers["Box.label"]?.contains("label = function(label) return label or \"\" end") == true)
    let settled = try write(Self.before, Self.after) { choices in
      for decision in scaffold.decisions {
        choices.answers[decision] = decision.answers.first { $0.kind != .script }
      }
    }
    #expect(settled.decisions.map(\.name) == ["Item.code"])
    #expect(try await faults(settled) == [])
  }

  @Test("where everything can be inferred there are a pipeline file and a test, and no script")
  func nothing() async throws {
    let scaffold = try write(Self.before, Self.before)
    #expect(scaffold.files.map(\.name) == ["m_2.pipeline", "m_2_test.lua"])
    #expect(scaffold.decisions == [])
  }

  @Test("likely renamings are offered with their reasons, and never taken")
  func renamings() async throws {
    let scaffold = try write(
      Self.entity(
        "Person",
        Self.attribute("phone", "String", "optional=\"YES\"")
          + Self.attribute("age", "Integer 16", "optional=\"YES\"")),
      Self.entity(
        "Person",
        Self.attribute("telephone", "String", "optional=\"YES\"")
          + Self.attribute("aged", "Date", "optional=\"YES\"")))
    #expect(try await faults(scaffold) == [])
    let phone = try #require(scaffold.decisions.first { $0.name == "Person.phone" })
    #expect(
      phone.answers.first?.text
        == "rename { entity = \"Person\", attributes = { phone = \"telephone\" } }")
    #expect(phone.answers.first?.note == "the same type, a similar name")
    // Another type is another thing, however similar its name: it is converted, or nothing.
    let age = try #require(scaffold.decisions.first { $0.name == "Person.age" })
    #expect(!age.answers.contains { $0.text.hasPrefix("rename") })
    #expect(age.answers.last?.text == "drop { \"Person.age\" }")
  }

  @Test("where it is the likely name for two reasons, a renaming is offered once")
  func once() throws {
    let scaffold = try write(
      Self.entity("Note", Self.attribute("text", "String", "optional=\"YES\"")),
      Self.entity(
        "Note", Self.attribute("text", "String", "optional=\"YES\""), "elementID=\"Memo\""))
    #expect(
      scaffold.decisions.first?.answers.map(\.text)
        == [#"rename { entity = "Note", to = "Note" }"#, #"drop { "Note" }"#])
  }

  @Test("an entity with the same attributes is offered as the new name of one that is gone")
  func entities() async throws {
    let body = Self.attribute("at", "Date") + Self.attribute("place", "String")
    let scaffold = try write(Self.entity("Visit", body), Self.entity("Stop", body))
    #expect(
      scaffold.decisions.map { $0.answers.map(\.text) }
        == [["rename { entity = \"Visit\", to = \"Stop\" }", "drop { \"Visit\" }"]])
    let settled = try write(Self.entity("Visit", body), Self.entity("Stop", body)) { choices in
      choices.answers[scaffold.decisions[0]] = scaffold.decisions[0].answers[0]
    }
    #expect(settled.decisions == [])
    #expect(try await faults(settled) == [])
  }

  @Test("uniqueness constraints and mandatory properties do not break what is written")
  func constraints() async throws {
    let unique =
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/>"
      + "</uniquenessConstraint></uniquenessConstraints>"
    let scaffold = try write(
      Self.entity("Item", Self.attribute("name", "String")),
      Self.entity(
        "Item", Self.attribute("name", "String") + Self.attribute("code", "String") + unique))
    #expect(try await faults(scaffold) == [])
    #expect(scaffold.decisions.map(\.name) == ["Item.code"])
  }

  @Test(
    "versions further apart are a chain of steps, whose scripts carry the version in their names")
  func chain() async throws {
    let folder = TemporaryFolder.url.appending(path: "M.xcdatamodeld")
    let bodies = [
      Self.attribute("name", "String"),
      Self.attribute("name", "String") + Self.attribute("code", "String"),
      Self.attribute("name", "String") + Self.attribute("code", "String")
        + Self.attribute("rank", "Integer 16"),
    ]
    for (place, body) in bodies.enumerated() {
      let version = folder.appending(path: "M \(place + 1).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      let text =
        "<?xml version=\"1.0\"?><model documentVersion=\"1.0\">"
        + "\(Self.entity("Item", body))</model>"
      try Data(text.utf8).write(to: version.appending(path: "contents"))
    }
    let file = try ModelFile(folder.path)
    let scaffold = try write(
      PipelineScaffold(
        PipelineScaffold.Choices(
          models: ["M.xcdatamodeld"],
          versions: try ["M 1", "M 2", "M 3"].map(file.model(named:)))))
    #expect(try await faults(scaffold) == [])
    #expect(
      scaffold.files.map(\.name) == [
        "m_3.pipeline", "m_2_item.lua", "m_3_item.lua", "m_3_test.lua",
      ])
    #expect(
      scaffold.decisions.map { "\($0.step) \($0.name)" } == ["M 2 Item.code", "M 3 Item.rank"])
  }

  @Test("no line is longer than a hundred letters, in a step and in a test either")
  func lineWidths() throws {
    let more = (0..<12).map { Self.attribute("attribute\($0)", "String") }.joined()
    for length in 5..<25 {
      let name = String(repeating: "n", count: length)
      let versions = try [
        Self.attribute(name, "String", "optional=\"YES\""), Self.attribute(name, "Integer 16"),
        Self.attribute(name, "Integer 16") + Self.attribute("rank", "String"),
      ].enumerated().map { try ModelText.model(Self.entity("Item", $1 + more), name: "M \($0)") }
      let choices = PipelineScaffold.Choices(models: ["M.xcdatamodeld"], versions: versions)
      let lines = PipelineScaffold(choices).files.flatMap { $0.text.split(separator: "\n") }
      #expect(lines.filter { $0.count > 100 } == [])
    }
  }

  @Test("no line of an answer begins with a closing brace")
  func braces() throws {
    let scaffold = try write(
      Self.entity("BookmarkEntity", Self.attribute("isFavorite", "Boolean", "optional=\"YES\"")),
      Self.entity(
        "BookmarkEntity", Self.attribute("isPendingDeletion", "Boolean", "optional=\"YES\"")))
    let lines = text(scaffold, "m_2.pipeline").split(separator: "\n")
    #expect(lines.contains { $0.contains("-- ") && $0.hasSuffix("from(\"isFavorite\") } }") })
    #expect(!lines.contains { $0.contains(/--\s+\}/) })
  }

  @Test("a property that Core Data takes for another one is offered its own name")
  func sameName() throws {
    let optional = "optional=\"YES\""
    let scaffold = try write(
      Self.entity("Post", Self.attribute("color", "String", optional)),
      Self.entity("Post", Self.attribute("color", "String", "\(optional) elementID=\"hex\"")))
    let answer = scaffold.decisions.first?.answers.first
    #expect(answer?.text == #"rename { entity = "Post", attributes = { color = "color" } }"#)
    #expect(answer?.note == "the same type, the same name")
  }

  @Test("a mapping model has the first word")
  func mapping() async throws {
    let before = Self.entity("Item", Self.attribute("name", "String"))
    let after = Self.entity(
      "Thing",
      Self.attribute("title", "String", "optional=\"YES\"")
        + Self.attribute("kind", "String", "optional=\"YES\"")
        + Self.attribute("key", "String", "optional=\"YES\""))
    let said = MappingModel(entities: [
      EntityMapping(
        name: "ItemToThing", source: "Item", destination: "Thing", policyClass: "ItemPolicy",
        attributes: [
          .init(name: "title", value: .source("name"), isExplicit: true),
          .init(name: "kind", value: .constant(.string("plain")), isExplicit: true),
          .init(
            name: "key",
            value: .other(
              .message(
                to: .variable("entityPolicy"), selector: "keyFor:",
                [.path(of: .variable("source"), "name")])),
            isExplicit: true),
        ])
    ])
    let scaffold = try write(before, after, said)
    let path = TemporaryFolder.url.appending(path: "m_2.pipeline").path
    let problems = Planner.check(try PipelineFile(path: path).pipeline()).problems
    #expect(problems.allSatisfy { $0.message.contains("is undecided") }, "\(problems)")
    #expect(scaffold.decisions.map(\.name) == ["Item", "Thing.key"])
    let pipeline = text(scaffold, "m_2.pipeline")
    #expect(pipeline.contains("rename { entity = \"Item\", to = \"Thing\" }"))
    #expect(
      pipeline.contains("map { entity = \"Thing\", attributes = { title = from \"name\" } }"))
    #expect(pipeline.contains("map { entity = \"Thing\", attributes = { kind = \"plain\" } }"))
    let script = text(scaffold, "item.lua")
    #expect(script.contains("The mapping model names the policy class ItemPolicy"))
    #expect(script.contains("-- new.Thing(item) makes what the mapping alone would:"))
    #expect(script.contains("key = function() error(\"write what FUNCTION("))
    #expect(script.contains("error(\"write what ItemPolicy did\")"))
    #expect(scaffold.stubs == 2)
  }

  @Test("a link that must be there and nobody can infer is made by a script")
  func link() async throws {
    let after =
      Self.entity(
        "Item",
        Self.attribute("name", "String")
          + "<relationship name=\"color\" maxCount=\"1\" destinationEntity=\"Color\" "
          + "inverseName=\"items\" inverseEntity=\"Color\"/>")
      + Self.entity(
        "Color",
        Self.attribute("hex", "String")
          + "<relationship name=\"items\" optional=\"YES\" toMany=\"YES\" "
          + "destinationEntity=\"Item\" inverseName=\"color\" inverseEntity=\"Item\"/>")
    let scaffold = try write(Self.entity("Item", Self.attribute("name", "String")), after)
    #expect(try await faults(scaffold) == [])
    let script = text(scaffold, "item.lua")
    #expect(script.contains(#"creates = { "Item", "Color" }"#))
    #expect(script.contains(#"copy.color = new.Color { hex = "" }"#))
  }

  @Test(
    "the versions of the sample can be begun from either side",
    arguments: [("Notes", "Notes 2"), ("Notes 2", "Notes")])
  func sample(from: String, to: String) async throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let folder = TemporaryFolder.url
    for name in ["notes.pipeline", "notes_priority.lua"] {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    let scaffold = try write(
      PipelineScaffold(
        PipelineScaffold.Choices(
          models: ["Notes.xcdatamodeld"],
          versions: [try NotesSample.model(from), try NotesSample.model(to)])))
    #expect(try await faults(scaffold) == [])
  }

  @Test("key paths of a mapping model are followed, of values and of links")
  func paths() throws {
    func model(_ item: String) -> String {
      Self.entity("Item", item + Self.link("country", "Country"))
        + Self.entity("Country", Self.attribute("name", "String") + Self.link("continent", "Part"))
        + Self.entity("Part", Self.attribute("name", "String"))
    }
    let manager = ModelExpression.variable("manager")
    let said = MappingModel(entities: [
      EntityMapping(
        name: "ItemToItem", source: "Item", destination: "Item",
        attributes: [
          .init(
            name: "place",
            value: PropertyMapping.value(of: .path(of: .variable("source"), "country.name")),
            isExplicit: true)
        ],
        relationships: [
          .init(
            name: "part",
            value: PropertyMapping.value(
              of: .message(
                to: manager,
                selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
                [
                  .constant(.string("PartToPart")),
                  .path(of: .variable("source"), "country.continent"),
                ])), isExplicit: true),
          .init(
            name: "other", value: .other(.message(to: manager, selector: "other", [])),
            isExplicit: true),
        ])
    ])
    let scaffold = try write(
      model(""),
      model(
        Self.attribute("place", "String", "optional=\"YES\"") + Self.link("part", "Part")
          + Self.link("other", "Part")), said)
    let script = text(scaffold, "item.lua")
    #expect(script.contains("place = function(country) return country and country.name end,"))
    #expect(
      script.contains(
        "local found = source and source.country and source.country.continent"))
    #expect(script.contains("object.part = found and ctx.destinations(found)[1]"))
    #expect(script.contains("error(\"write what FUNCTION("))
    #expect(scaffold.stubs == 1)
  }

  private static func link(_ name: String, _ destination: String) -> String {
    "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" "
      + "destinationEntity=\"\(destination)\"/>"
  }

  @Test("a part of a composite attribute whose type changes gets a function, by its path")
  func composite() async throws {
    let model = { (type: String, number: String) in
      Self.entity("A", Self.attribute("place", "Composite", "composite=\"P\""))
        + "<composite name=\"P\">\(Self.attribute("zip", type))"
        + "\(Self.attribute("lat", number))</composite>"
    }
    let scaffold = try write(model("String", "Double"), model("Boolean", "String"))
    let script = try #require(scaffold.files.first { $0.name == "a.lua" })
    #expect(script.text.contains("[\"place.zip\"] = function(place)"), "\(script.text)")
    let path = TemporaryFolder.url.appending(path: "m_2.pipeline").path
    let problems = Planner.check(try PipelineFile(path: path).pipeline()).problems.map(\.message)
    #expect(problems.count == 1 && problems[0].hasPrefix("A.place.zip is undecided"), "\(problems)")
  }
}
