import CoreDataStore
import StoreMigration
import Testing

@Suite("What a mapping cannot answer, and what settles it")
struct MappingProblemTests {
  private typealias M = MappingModels

  /// The only problem of a mapping.
  private func only(_ mapping: Mapping) throws -> MappingProblem {
    try only(mapping.problems)
  }

  private func only(_ problems: [MappingProblem]) throws -> MappingProblem {
    #expect(problems.count == 1)
    return try #require(problems.first)
  }

  @Test(
    "attributes",
    arguments: [
      (
        "String", "", "Integer 32", "",
        "map { entity = \"A\", attributes = { x = convert(\"x\", \"Integer 32\") } }"
      ),
      (
        "Date", "", "Double", "",
        "map { entity = \"A\", attributes = { x = convert(\"x\", \"Double\") } }"
      ),
      (
        "Binary", "allowsExternalBinaryDataStorage=\"YES\"", "Binary", "",
        "map { entity = \"A\", attributes = { x = from(\"x\") } }"
      ),
      (
        "Binary", "", "String", "", "stage \"transform\" { entity = \"A\", script = \"a.lua\" }"
      ),
    ])
  func attributes(
    before: String, old: String, after: String, new: String, snippet: String
  ) throws {
    let mapping = try M.entity(
      before.isEmpty ? "" : M.attribute("x", before, old), M.attribute("x", after, new))
    let problem = try only(mapping)
    #expect(problem.kind == .notInferable && problem.subject == "A.x")
    #expect(problem.snippet == snippet)
    #expect(problem.why.hasSuffix(".") && problem.description.contains(snippet))
  }

  @Test("a name that is a word of Lua stands in brackets")
  func luaWord() throws {
    let problem = try only(M.entity(M.attribute("end", "String"), M.attribute("end", "Double")))
    #expect(
      problem.snippet == "map { entity = \"A\", attributes = { "
        + "[\"end\"] = convert(\"end\", \"Double\") } }")
  }

  @Test("a removed attribute and what gives it up")
  func removed() throws {
    let before = M.attribute("x", "Date")
    let problem = try only(M.entity(before, ""))
    #expect(problem.kind == .loss && problem.snippet == "drop { \"A.x\" }")
    for pattern in ["A.x", "A.*", "*", "*.x", "*A*x*"] {
      let accepted = try M.entity(before, "") { $0.acceptedLosses = [NamedInstruction(pattern)] }
      #expect(accepted.problems.isEmpty)
      #expect(accepted.objects[0].fate(of: "x") == .dropped(isDeclared: true))
    }
    let dropped = try M.entity(before, "") { $0.drops = [NamedInstruction("A.x")] }
    #expect(dropped.problems.isEmpty)
    for pattern in ["A", "B.*", "A.xx", "A.x*x"] {
      let open = try M.entity(before, "") { $0.acceptedLosses = [NamedInstruction(pattern)] }
      #expect(open.problems == [problem])
    }
  }

  @Test("a dropped attribute may be named by its entity's new name")
  func droppedByNewName() throws {
    let mapping = try M.mapping(
      "<entity name=\"Bookmark\">\(M.attribute("legacyCode", "Date"))</entity>",
      "<entity name=\"Link\"/>"
    ) {
      $0.renames = [EntityRename(entity: "Bookmark", to: "Link")]
      $0.drops = [NamedInstruction("Link.legacyCode")]
    }
    #expect(mapping.problems.isEmpty)
  }

  @Test("a removed entity, and links to it")
  func removedEntity() throws {
    let before = """
      <entity name="A"><relationship name="v" optional="YES" destinationEntity="V"/></entity>
      <entity name="V">\(M.attribute("x", "Date"))</entity>
      """
    let problem = try only(M.mapping(before, "<entity name=\"A\"/>"))
    #expect(problem.subject == "V" && problem.kind == .loss)
    #expect(problem.snippet == "drop { \"V\" }")
    for (pattern, isEnough) in [("V", true), ("V.*", true), ("*", true), ("V.x*", false)] {
      let mapping = try M.mapping(before, "<entity name=\"A\"/>") {
        $0.acceptedLosses = [NamedInstruction(pattern)]
      }
      #expect(mapping.problems.isEmpty == isEnough)
    }
    let dropped = try M.mapping(before, "<entity name=\"A\"/>") {
      $0.drops = [NamedInstruction("V")]
    }
    #expect(dropped.problems.isEmpty && dropped.fate(of: "V") == .dropped(isDeclared: true))
    #expect(dropped.objects(from: "A")?.fate(of: "v") == .dropped(isDeclared: true))
  }

  @Test("an entity that becomes abstract")
  func abstract() throws {
    let after = "<entity name=\"A\" isAbstract=\"YES\"/><entity name=\"K\" parentEntity=\"A\"/>"
    let problem = try only(M.mapping("<entity name=\"A\"/>", after))
    #expect(problem.subject == "A" && problem.why.contains("abstract"))
    let settled = try M.mapping("<entity name=\"A\"/>", after) {
      $0.maps = [EntityMap(entity: "K", from: "A")]
    }
    #expect(settled.problems.isEmpty)
  }

  @Test("an inherited property's problem is reported once, for the entity that declares it")
  func inherited() throws {
    let children = "<entity name=\"K\" parentEntity=\"A\"/><entity name=\"L\" parentEntity=\"A\"/>"
    let problem = try only(
      M.mapping(
        "<entity name=\"A\">\(M.attribute("x", "Date"))</entity>" + children,
        "<entity name=\"A\"/>" + children))
    #expect(problem.subject == "A.x")
    let partly = try M.mapping(
      "<entity name=\"A\">\(M.attribute("x", "Date"))</entity>" + children,
      """
      <entity name="A"/><entity name="K" parentEntity="A">\(M.attribute("x", "Date"))</entity>
      <entity name="L" parentEntity="A"/>
      """)
    #expect(partly.problems.map(\.subject) == ["A.x", "L.x"])
  }

  @Test(
    "relationships",
    arguments: [
      ("", "B", "maxCount=\"1\"", "one { \"A.r\", keep = \"first\" }")
    ])
  func relationships(
    before: String, destination: String, after: String, snippet: String
  ) throws {
    func xml(_ settings: String, _ destination: String) -> String {
      let body =
        destination.isEmpty
        ? "" : "<relationship name=\"r\" \(settings) destinationEntity=\"\(destination)\"/>"
      return "<entity name=\"A\">\(body)</entity><entity name=\"B\"/><entity name=\"C\"/>"
    }
    let problem = try only(M.mapping(xml(before, destination), xml(after, "B")))
    #expect(problem.kind == .notInferable && problem.subject == "A.r")
    #expect(problem.snippet == snippet)
  }

  @Test("unknown types are not supported")
  func unsupported() throws {
    let attribute = M.attribute("x", "Vector")
    let problem = try only(
      M.mapping("<entity name=\"A\"/>", "<entity name=\"A\">\(attribute)</entity>"))
    #expect(problem.kind == .unsupported && problem.subject == "A.x" && problem.snippet == nil)
  }

  @Test("what each entity needs its own words for is reported for each")
  func severalSnippets() throws {
    func xml(_ type: String) -> String {
      "<entity name=\"A\" isAbstract=\"YES\">\(M.attribute("x", type))</entity>"
        + "<entity name=\"K\" parentEntity=\"A\"/><entity name=\"L\" parentEntity=\"A\"/>"
    }
    let mapping = try M.mapping(xml("Binary"), xml("Date"))
    #expect(mapping.problems.map(\.subject) == ["K.x", "L.x"])
    #expect(mapping.problems.compactMap(\.snippet).allSatisfy { $0.hasPrefix("stage") })
  }

  @Test(
    "what Core Data looks for in the objects is no problem of the models",
    arguments: [
      ("", "Integer 16", ""), ("", "Binary", ""), ("Date optional=\"YES\"", "Date", ""),
      ("Date transient=\"YES\"", "Date", ""),
    ])
  func conditional(before: String, after: String, more: String) throws {
    let parts = before.split(separator: " ", maxSplits: 1).map(String.init)
    let old = parts.first.map { M.attribute("x", $0, parts.dropFirst().first ?? "") } ?? ""
    #expect(try M.entity(old, M.attribute("x", after)).problems.isEmpty)
  }

  @Test("numbers are carried over as they stand, and those that may not be read so are a loss")
  func numbers() throws {
    let wider = try M.entity(M.attribute("x", "Integer 16"), M.attribute("x", "Integer 32"))
    #expect(wider.problems.isEmpty)
    let narrow = (M.attribute("x", "Integer 32"), M.attribute("x", "Integer 16"))
    let problem = try only(M.entity(narrow.0, narrow.1))
    #expect(problem.kind == .loss && problem.subject == "A.x")
    #expect(
      problem.snippet
        == "map { entity = \"A\", attributes = { x = convert(\"x\", \"Integer 16\") } }")
    let accepted = try M.entity(narrow.0, narrow.1) {
      $0.acceptedLosses = [NamedInstruction("A.x")]
    }
    #expect(accepted.problems.isEmpty)
    guard case .source("x", let conversion?) = accepted.objects[0].attributes[0].origin else {
      Issue.record("the values do not come from x")
      return
    }
    #expect(conversion.isCarried && conversion.keepsStoredForm)
  }

  @Test("a default that the type does not have is found before the run")
  func badDefault() throws {
    let problem = try only(
      M.entity("", M.attribute("x", "UUID", "defaultValueString=\"x\" optional=\"YES\"")))
    #expect(problem.why == "Its default is no value of the type UUID.")
  }

  @Test("names that share a renaming identifier are refused")
  func ambiguous() throws {
    let before = M.attribute("x", "Date") + M.attribute("y", "Date", "elementID=\"x\"")
    let mapping = try M.entity(before, M.attribute("x", "Date"))
    #expect(
      mapping.problems.contains {
        $0.kind == .notInferable
          && $0.why.contains("Each property must have a unique renaming identifier")
      })
  }

  @Test("a condition settles what may be missing")
  func condition() throws {
    let mapping = try M.entity(
      M.attribute("x", "Date", "optional=\"YES\""), M.attribute("x", "Date")
    ) { $0.filters = [ObjectFilter(entity: "A", condition: "x IS NOT NULL")] }
    #expect(mapping.problems.isEmpty)
  }

  @Test("an attribute that becomes a relationship")
  func kinds() throws {
    let mapping = try M.entity(
      M.attribute("x", "Date"),
      "<relationship name=\"x\" optional=\"YES\" destinationEntity=\"A\"/>")
    #expect(mapping.problems.map(\.subject) == ["A.x"])
    #expect(mapping.problems.map(\.kind) == [.loss])
    let settled = try M.entity(
      M.attribute("x", "Date"),
      "<relationship name=\"x\" optional=\"YES\" destinationEntity=\"A\"/>"
    ) { $0.drops = [NamedInstruction("A.x")] }
    #expect(settled.problems.isEmpty)
  }

  @Test("what can fail is not done by `from` alone")
  func explicit() throws {
    func mapping(_ value: EntityMap.Value, _ type: String = "Integer 16") throws -> Mapping {
      try M.entity(M.attribute("x", "String"), M.attribute("x", type)) {
        $0.maps = [EntityMap(entity: "A", attributes: ["x": value], line: 9)]
      }
    }
    let problem = try only(mapping(.from("x")))
    #expect(problem.kind == .instruction && problem.line == 9)
    #expect(
      problem.snippet
        == "map { entity = \"A\", attributes = { x = convert(\"x\", \"Integer 16\") } }")
    #expect(try mapping(.convert("x", to: .integer16)).problems.isEmpty)
    #expect(try only(mapping(.convert("x", to: .integer32))).why.contains("It is Integer 16"))
    #expect(try mapping(.from("x"), "Binary").problems.contains { $0.why.contains("No rule") })
  }
}
