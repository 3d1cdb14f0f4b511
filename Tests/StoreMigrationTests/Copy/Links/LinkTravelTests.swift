import CoreDataStore
import StoreMigration
import TestSupport
import Testing

@Suite("Links that travel with their rows")
struct LinkTravelTests {
  private static func columns(
    _ before: LinkKind, _ after: LinkKind, of entity: String,
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> [String] {
    let old = try MappingModels.model(before.xml(isOrdered: true), name: "1")
    let new = try MappingModels.model(after.xml(isOrdered: true), name: "2")
    var instructions = MappingInstructions()
    instruct(&instructions)
    let mapping = Mapping(from: old, to: new, instructions: instructions)
    let travel = LinkTravel(
      mapping, from: try StoreSchema(of: old), to: try StoreSchema(of: new))
    return try #require(mapping.objects(from: entity)).columnNames(travel)
  }

  @Test("key and place of one that stays in its column")
  func same() throws {
    #expect(try Self.columns(.manyToOne, .manyToOne, of: "A") == ["ZR", "Z_FOK_R"])
    #expect(try Self.columns(.oneToMany, .oneToMany, of: "B") == ["ZS", "Z_FOK_S"])
    #expect(try Self.columns(.oneToOne, .oneToOne, of: "B") == ["ZS"])
    #expect(try Self.columns(.many, .oneToMany, of: "B") == ["ZS", "Z_FOK_S"])
  }

  @Test("none that is stored in another way")
  func moved() throws {
    #expect(try Self.columns(.manyToOne, .manyToMany, of: "A").isEmpty)
    #expect(try Self.columns(.manyToMany, .manyToOne, of: "A").isEmpty)
  }

  @Test("the numbers of entities follow, a case for those that move together")
  func numbers() throws {
    func family(_ names: [String]) -> String {
      "<entity name=\"A\"><relationship name=\"r\" optional=\"YES\" maxCount=\"1\" "
        + "destinationEntity=\"R\"/></entity><entity name=\"R\"/>"
        + names.map { "<entity name=\"\($0)\" parentEntity=\"R\"/>" }.joined()
    }
    func number(_ before: [String], _ after: [String]) throws -> String? {
      let old = try MappingModels.model(family(before), name: "1")
      let new = try MappingModels.model(family(after), name: "2")
      let mapping = Mapping(from: old, to: new)
      let travel = LinkTravel(
        mapping, from: try StoreSchema(of: old), to: try StoreSchema(of: new))
      let object = try #require(mapping.objects(from: "A"))
      return travel.columns(of: object).first { $0.column == "Z2_R" }?.sql
    }
    #expect(try number(["S", "T"], ["S", "T"]) == "s.Z2_R")
    #expect(
      try number(["S", "T", "U"], ["RR", "S", "T", "U"])
        == "CASE WHEN s.Z2_R BETWEEN 3 AND 5 THEN s.Z2_R + 1 ELSE s.Z2_R END")
    #expect(
      try number(["S", "T", "U"], ["S", "U"])
        == "CASE WHEN s.Z2_R = 5 THEN 4 ELSE s.Z2_R END")
  }

  @Test("none to or from objects that a script makes")
  func scripted() throws {
    for entity in ["A", "B"] {
      let names = try Self.columns(.manyToOne, .manyToOne, of: "A") {
        $0.scripts = [ScriptClaim(entity: entity, makesObjects: true)]
      }
      #expect(names.isEmpty)
    }
  }
}

extension ObjectMapping {
  /// The columns that travel with its objects.
  fileprivate func columnNames(_ travel: LinkTravel) -> [String] {
    travel.columns(of: self).map(\.column)
  }
}
