import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("New pipelines", .temporaryFolder)
struct PipelineScaffoldTests {
  private static func entity(_ name: String, _ body: String, _ more: String = "") -> String {
    "<entity name=\"\(name)\" \(more)>\(body)</entity>"
  }

  private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
  }

  /// Writes a scaffold for two versions with these insides; gives back its files.
  private func write(
    _ before: String, _ after: String, _ mapping: MappingModel? = nil
  ) throws -> PipelineScaffold {
    let folder = TemporaryFolder.url.appending(path: "M.xcdatamodeld")
    for (name, body) in [("M", before), ("M 2", after)] {
      let version = folder.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data("<?xml version=\"1.0\"?><model documentVersion=\"1.0\">\(body)</model>".utf8)
        .write(to: version.appending(path: "contents"))
    }
    let file = try ModelFile(folder.path)
    let scaffold = PipelineScaffold(
      models: ["M.xcdatamodeld"], from: try file.model(named: "M"),
      to: try file.model(named: "M 2"), mapping: mapping)
    for file in scaffold.files {
      try Data(file.text.utf8).write(to: TemporaryFolder.url.appending(path: file.name))
    }
    return scaffold
  }

  /// What `check` and `test` have against a scaffold.
  private func faults(_ scaffold: PipelineScaffold) async throws -> [String] {
    let path = TemporaryFolder.url.appending(path: "m_2.pipeline").path
    let problems = Planner.check(try PipelineFile(path: path).pipeline()).map(\.description)
    let tests = TemporaryFolder.url.appending(path: "m_2_test.lua").path
    let summary = try await ScriptTests([tests]).run()
    return scaffold.unsettled + problems + summary.problems.map(\.description)
      + summary.results.flatMap(\.failure)
  }

  private func text(_ scaffold: PipelineScaffold, _ name: String) -> String {
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

  @Test("what is written passes check and test at once, and says all that cannot be inferred")
  func everything() async throws {
    let scaffold = try write(Self.before, Self.after)
    #expect(try await faults(scaffold) == [])
    #expect(scaffold.files.map(\.name) == ["m_2.pipeline", "box.lua", "item.lua", "m_2_test.lua"])
    let pipeline = text(scaffold, "m_2.pipeline")
    #expect(pipeline.contains("drop { \"Visit\" }"))
    #expect(pipeline.contains("drop { \"Item.old\" }"))
    #expect(pipeline.contains("one { \"Item.boxes\", keep = \"first\" }"))
    #expect(pipeline.contains("--   Note: new, and empty"))
    let item = text(scaffold, "item.lua")
    #expect(item.contains("size = function(size) return 0 end,"))
    #expect(item.contains("code = function() return uuid.named(\"code\") end,"))
    #expect(item.contains("--   name: same"))
    #expect(text(scaffold, "box.lua").contains("label = function(label) return \"\" end,"))
  }

  @Test("where everything can be inferred there are a pipeline file and a test, and no script")
  func nothing() async throws {
    let scaffold = try write(Self.before, Self.before)
    #expect(scaffold.files.map(\.name) == ["m_2.pipeline", "m_2_test.lua"])
    #expect(scaffold.questions == 0)
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
    #expect(Planner.check(try PipelineFile(path: path).pipeline()) == [])
    let pipeline = text(scaffold, "m_2.pipeline")
    #expect(pipeline.contains("rename { entity = \"Item\", to = \"Thing\" }"))
    #expect(
      pipeline.contains("map { entity = \"Thing\", attributes = { title = from \"name\" } }"))
    #expect(pipeline.contains("map { entity = \"Thing\", attributes = { kind = \"plain\" } }"))
    let script = text(scaffold, "item.lua")
    #expect(script.contains("ItemPolicy did this in the mapping model"))
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
    let scaffold = PipelineScaffold(
      models: ["Notes.xcdatamodeld"], from: try NotesSample.model(from),
      to: try NotesSample.model(to))
    let folder = TemporaryFolder.url
    for name in ["notes.pipeline", "notes_priority.lua"] {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    for file in scaffold.files {
      try Data(file.text.utf8).write(to: folder.appending(path: file.name))
    }
    let path = folder.appending(path: scaffold.files[0].name).path
    #expect(Planner.check(try PipelineFile(path: path).pipeline()) == [])
    let test = try #require(scaffold.files.last?.name)
    let summary = try await ScriptTests([TemporaryFolder.url.appending(path: test).path]).run()
    #expect(summary.problems == [])
    #expect(summary.results.flatMap(\.failure) == [])
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
    #expect(Planner.check(try PipelineFile(path: path).pipeline()).isEmpty)
  }
}
