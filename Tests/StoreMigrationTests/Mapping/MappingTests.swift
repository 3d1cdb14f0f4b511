import CoreDataStore
import StoreMigration
import Testing

@Suite("Which entity and property becomes which")
struct MappingTests {
  private typealias M = MappingModels

  @Test(
    "attributes that Core Data infers",
    arguments: [
      ("Date", "", "Date", "", MappingRule.same),
      ("Date", "", "Date", "optional=\"YES\"", .same),
      ("String", "optional=\"YES\"", "String", "defaultValueString=\"x\"", .same),
    ])
  func inferred(
    before: String, old: String, after: String, new: String, rule: MappingRule
  ) throws {
    let mapping = try M.entity(M.attribute("x", before, old), M.attribute("x", after, new))
    #expect(mapping.problems.isEmpty)
    let attribute = try #require(mapping.objects(from: "A")?.attribute(named: "x"))
    #expect(attribute.rule == rule && attribute.source == "x")
    #expect((attribute.replacement == .string("x")) == new.contains("default"))
    #expect(mapping.objects(from: "A")?.fate(of: "x") == .kept)
  }

  @Test("added attributes get their default, even optional ones, or NULL")
  func added() throws {
    let mapping = try M.entity(
      "",
      M.attribute("n", "Integer 16", "optional=\"YES\" defaultValueString=\"7\"")
        + M.attribute("m", "Date", "optional=\"YES\"")
        + M.attribute("t", "Date", "transient=\"YES\"") + M.attribute("u", "Undefined"))
    let attributes = try #require(mapping.objects(from: "A")?.attributes)
    #expect(attributes.map(\.name) == ["m", "n"])
    #expect(attributes.map(\.rule) == [.null, .default])
    #expect(attributes.last?.origin == .value(.integer(7)))
    #expect(mapping.problems.isEmpty)
  }

  @Test("renamed by identifier, over several versions")
  func chain() throws {
    let versions = try zip(["A", "B", "C"], ["x", "y", "z"]).map { entity, attribute in
      let date = M.attribute(attribute, "Date", attribute == "x" ? "" : "elementID=\"x\"")
      let identifier = entity == "A" ? "" : "elementID=\"A\""
      return try M.model("<entity name=\"\(entity)\" \(identifier)>\(date)</entity>", name: entity)
    }
    for (old, new) in [(0, 1), (1, 2), (0, 2)] {
      let mapping = Mapping(from: versions[old], to: versions[new])
      #expect(mapping.problems.isEmpty && mapping.added.isEmpty)
      let objects = try #require(mapping.objects.first)
      #expect(objects.rule == .renamedByIdentifier && objects.uriBreaks == [.entityRenamed])
      #expect(objects.attributes.map(\.rule) == [.renamedByIdentifier])
      #expect(objects.properties.map(\.fate) == [.moved(to: [["x", "y", "z"][new]])])
    }
  }

  @Test("renamed in the file, inherited properties too")
  func renamedInFile() throws {
    let before = """
      <entity name="A">\(M.attribute("href", "String"))</entity><entity name="K" parentEntity="A"/>
      """
    let after = """
      <entity name="B">\(M.attribute("url", "String"))</entity><entity name="K" parentEntity="B"/>
      """
    let mapping = try M.mapping(before, after) {
      $0.renames = [EntityRename(entity: "A", to: "B", properties: ["href": "url"])]
    }
    #expect(mapping.problems.isEmpty)
    for entity in ["A", "K"] {
      let attribute = mapping.objects(from: entity)?.attribute(named: "url")
      #expect(attribute?.rule == .renamedInFile && attribute?.source == "href")
    }
    #expect(mapping.objects(from: "A")?.rule == .renamedInFile)
    #expect(mapping.fate(of: "A") == .moved(to: ["B"]))
    #expect(mapping.fate(of: "K") == .kept)
  }

  @Test("mapped attributes: from another, a constant, another type")
  func mapped() throws {
    let before = M.attribute("name", "String") + M.attribute("depth", "Integer 64")
    let after =
      M.attribute("title", "String") + M.attribute("order", "Integer 16")
      + M.attribute("depth", "Integer 32") + M.attribute("long", "String")
    let mapping = try M.entity(before, after) {
      $0.maps = [
        EntityMap(
          entity: "A",
          attributes: [
            "title": .from("name"), "order": .constant(.integer(0)),
            "depth": .convert("depth", to: .integer32), "long": .from("depth"),
          ])
      ]
    }
    #expect(mapping.problems.isEmpty)
    let attributes = try #require(mapping.objects(from: "A")?.attributes)
    #expect(attributes.map(\.name) == ["depth", "long", "order", "title"])
    #expect(attributes.map(\.rule) == [.converted, .converted, .constant, .renamedInFile])
    guard case .source("depth", let conversion?) = attributes[0].origin else {
      Issue.record("depth is not converted")
      return
    }
    #expect(conversion.canFail)
    #expect(mapping.objects(from: "A")?.fate(of: "name") == .moved(to: ["title"]))
  }

  @Test(
    "a constant must fit",
    arguments: [
      ("Integer 16", ModelConstant.integer(40_000)), ("Integer 32", .string("1")),
      ("String", .integer(1)), ("Boolean", .integer(2)), ("Date", .string("now")),
      ("Binary", .string("x")), ("Double", .real(.nan)), ("Integer 16", .null),
      ("UUID", .string("x")),
    ])
  func constants(type: String, value: ModelConstant) throws {
    let mapping = try M.entity("", M.attribute("x", type)) {
      $0.maps = [EntityMap(entity: "A", attributes: ["x": .constant(value)], line: 3)]
    }
    #expect(mapping.problems.map(\.kind) == [.instruction])
    #expect(mapping.problems.first?.line == 3)
  }

  @Test(
    "a constant that loses digits is refused, and says so",
    arguments: [
      ("Integer 64", ModelConstant.real(9_007_199_254_740_992)), ("Decimal", .real(1e19)),
      ("Double", .integer(9_007_199_254_740_993)), ("Float", .integer(.max)),
      ("Decimal", .string("12345678901234567890.123")),
    ])
  func lossyConstants(type: String, value: ModelConstant) throws {
    let mapping = try M.entity("", M.attribute("x", type)) {
      $0.maps = [EntityMap(entity: "A", attributes: ["x": .constant(value)], line: 3)]
    }
    #expect(mapping.problems.first?.why.contains("digits") == true)
  }

  @Test(
    "large whole numbers are exact, as texts where Lua's numbers are not",
    arguments: [
      ("Integer 64", ModelConstant.string("9007199254740993"), "9007199254740993"),
      ("Integer 64", .string("-9223372036854775808"), "-9223372036854775808"),
      ("Integer 64", .integer(9_007_199_254_740_993), "9007199254740993"),
      ("Decimal", .string("9007199254740993"), "9007199254740993"),
      ("Decimal", .real(0.1), "0.1"), ("Double", .real(0.5), "0.5"),
    ])
  func largeConstants(type: String, value: ModelConstant, text: String) throws {
    let mapping = try M.entity("", M.attribute("x", type)) {
      $0.maps = [EntityMap(entity: "A", attributes: ["x": .constant(value)])]
    }
    #expect(mapping.problems.isEmpty)
    guard case .value(let made)? = mapping.objects(from: "A")?.attribute(named: "x")?.origin else {
      Issue.record("x is no constant")
      return
    }
    #expect(made.text == text)
  }

  @Test("flags of external storage")
  func externalStorage() throws {
    let flag = "allowsExternalBinaryDataStorage=\"YES\""
    let gain = try M.entity(M.attribute("x", "Binary"), M.attribute("x", "Binary", flag))
    #expect(gain.objects[0].attributes[0].storage == .gainsExternalStorage)
    let loss = try M.entity(M.attribute("x", "Binary", flag), M.attribute("x", "Binary"))
    #expect(loss.objects[0].attributes[0].storage == .losesExternalStorage)
  }

  @Test("a derived attribute is computed, and one that ends is no loss")
  func derived() throws {
    let derivation = "optional=\"YES\" derived=\"YES\" derivationExpression=\"now()\""
    let mapping = try M.entity(
      M.attribute("old", "Date", derivation), M.attribute("new", "Date", derivation))
    #expect(mapping.problems.isEmpty)
    #expect(mapping.objects[0].attributes.map(\.rule) == [.derived])
    let told = try M.entity("", M.attribute("new", "Date", derivation)) {
      $0.maps = [EntityMap(entity: "A", attributes: ["new": .constant(.date(0))])]
    }
    #expect(
      told.problems.map(\.why) == ["It is computed from other properties and takes no value."])
  }

  @Test("a script's claim answers for its attributes and for what it reads")
  func scripted() throws {
    let before = M.attribute("price", "Double") + M.attribute("spare", "Double")
    let mapping = try M.entity(before, M.attribute("total", "Decimal")) {
      $0.scripts = [ScriptClaim(entity: "A", attributes: ["total"], reads: ["price"])]
    }
    #expect(mapping.problems.map(\.subject) == ["A.spare"])
    #expect(mapping.objects[0].attributes.map(\.rule) == [.scripted])
    #expect(mapping.objects[0].fate(of: "price") == .scripted)
    let whole = try M.entity(before, M.attribute("total", "Decimal")) {
      $0.scripts = [ScriptClaim(entity: "A", makesObjects: true)]
    }
    #expect(whole.problems.isEmpty && whole.fate(of: "A") == .scripted)
  }

  @Test("links between many objects are those of both ends: what settles one settles the other")
  func joinTable() throws {
    func link(_ name: String, _ far: String, _ back: String, _ size: String) -> String {
      "<entity name=\"\(far == "A" ? "B" : "A")\"><relationship name=\"\(name)\" optional=\"YES\" "
        + "\(size) destinationEntity=\"\(far)\" inverseName=\"\(back)\" "
        + "inverseEntity=\"\(far)\"/></entity>"
    }
    func open(
      _ size: String, _ instruct: (inout MappingInstructions) -> Void
    ) throws -> [String] {
      let before =
        link("parts", "B", "wholes", "toMany=\"YES\"") + link("wholes", "A", "parts", size)
      let after = "<entity name=\"A\"/><entity name=\"B\"/>"
      return try M.mapping(before, after, instruct).problems.map(\.subject)
    }
    let (many, one) = ("toMany=\"YES\"", "maxCount=\"1\"")
    let made = ScriptClaim(entity: "A", makesObjects: true, mentions: ["parts"])
    #expect(try open(many) { $0.scripts = [made] } == [])
    #expect(try open(one) { $0.scripts = [made] } == ["B.wholes"])
    // What is only read may be needed for something else.
    let read = ScriptClaim(entity: "A", reads: ["parts"])
    #expect(try open(many) { $0.scripts = [read] } == ["B.wholes"])
    #expect(try open(many) { $0.undecided = [NamedInstruction("A.parts")] } == ["A.parts"])
  }

  @Test("conditions go with an entity and those that inherit from it")
  func conditions() throws {
    let model = "<entity name=\"A\"/><entity name=\"K\" parentEntity=\"A\"/><entity name=\"O\"/>"
    let mapping = try M.mapping(model, model) {
      $0.filters = [ObjectFilter(entity: "A", condition: "x > 1")]
    }
    #expect(mapping.objects(from: "K")?.conditions == ["x > 1"])
    #expect(mapping.objects(from: "O")?.conditions == [])
  }
}
