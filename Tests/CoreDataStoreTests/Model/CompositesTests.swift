import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("Composite attributes", .temporaryFolder)
struct CompositesTests {
  private static func composite(_ name: String, _ parts: String...) -> String {
    "<composite name=\"\(name)\">\(parts.joined())</composite>"
  }

  private static func holding(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"Composite\" composite=\"\(type)\" \(more)/>"
  }

  private static let geo = composite(
    "Geo", "<attribute name=\"lat\" attributeType=\"Double\"/>", M.attribute("city"))
  private static let address = composite(
    "Address", M.attribute("street"), holding("geo", "Geo"),
    "<attribute name=\"city\" attributeType=\"String\" defaultValueString=\"Here\"/>")

  private static func model(_ attributes: String) throws -> Model {
    try ModelText.model("<entity name=\"A\">\(attributes)</entity>" + address + geo)
  }

  @Test("an entity lists the parts of its composites by path, and the composites separately")
  func elements() throws {
    let model = try Self.model(Self.holding("home", "Address") + M.attribute("x"))
    let entity = try #require(model.entity(named: "A"))
    #expect(
      entity.attributes.map(\.name) == [
        "home.city", "home.geo.city", "home.geo.lat", "home.street", "x",
      ])
    #expect(entity.declaredAttributes.map(\.name) == ["home", "x"])
    #expect(entity.attribute(named: "home.city")?.defaultValue == .string("Here"))
    #expect(entity.attribute(named: "home.geo.lat")?.isOptional == false)
  }

  @Test("a part of an optional composite may be missing")
  func optional() throws {
    let model = try Self.model(Self.holding("home", "Address", "optional=\"YES\""))
    #expect(model.entity(named: "A")?.attribute(named: "home.geo.lat")?.isOptional == true)
  }

  @Test("a renamed composite renames its parts")
  func renamed() throws {
    let model = try Self.model(Self.holding("place", "Address", "elementID=\"home\""))
    #expect(
      model.entity(named: "A")?.attribute(named: "place.geo.lat")?.renamingName == "home.geo.lat")
  }

  @Test("columns are named after the part alone, in the order of the model")
  func columns() throws {
    let model = try Self.model(Self.holding("home", "Address") + Self.holding("work", "Geo"))
    let schema = try StoreSchema(of: model)
    let layout = try #require(schema.entity(named: "A"))
    let names = ["home.street", "home.geo.city", "home.city", "work.city", "work.lat"]
    #expect(
      names.map { layout.column(named: $0)?.name }
        == ["ZSTREET", "ZCITY", "ZCITY1", "ZCITY2", "ZLAT1"])
  }

  @Test("a fetch index names parts by their paths")
  func index() throws {
    let model = try Self.model(Self.holding("home", "Address") + M.index("byCity", "home.geo.city"))
    let index = try StoreSchema(of: model).indexes.first { $0.name == "Z_A_byCity" }
    #expect(index?.sql == "CREATE INDEX Z_A_byCity ON ZA (ZCITY COLLATE BINARY ASC)")
  }

  @Test("a uniqueness constraint over a part is refused: how it is stored is not known")
  func constraint() throws {
    let unique =
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"home.city\"/>"
      + "</uniquenessConstraint></uniquenessConstraints>"
    let model = try Self.model(Self.holding("home", "Address") + unique)
    let error = #expect(throws: Failure.self) { try StoreSchema(of: model) }
    #expect(error?.subject == "Test, A.home.city")
  }

  @Test("the hash of an entity with a composite is known only where it was recorded")
  func hashes() throws {
    let hashes = VersionHashes(of: try Self.model(Self.holding("home", "Address")))
    #expect(hashes.uncertain["A"] == "home is a composite attribute")
    #expect(hashes.entities["A"] == nil)
  }

  @Test("a model that is written and read again is the same")
  func document() throws {
    let model = try Self.model(Self.holding("home", "Address") + M.attribute("x"))
    let xml = try ModelWriter(model).xml
    #expect(
      try SourceModelReader.read(Array(xml.utf8), name: model.name).entities == model.entities)
  }

  @Test("recorded hashes are rejected once the version has changed")
  func stale() throws {
    let path = TemporaryFolder.url.appending(path: "V.xcdatamodel").path
    let model = try AppStores.recorded(
      "<entity name=\"A\">\(Self.holding("home", "Address"))</entity>" + Self.address + Self.geo,
      name: "V")
    try ModelWriter(model).write(to: path)
    #expect(try ModelFile(path).current.recordedHashes["A"] == model.recordedHashes["A"])
    let contents = URL(filePath: path + "/contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    try Data(text.replacing("street", with: "road").utf8).write(to: contents)
    let error = #expect(throws: Failure.self) { try ModelFile(path).current }
    #expect(error?.why.contains("VersionInfo.plist was written for other contents") == true)
  }

  @Test("a name with a full stop belongs to a composite or is refused")
  func fullStop() {
    #expect(throws: Failure.self) { try Self.model(M.attribute("a.b")) }
  }
}
