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
