import Testing

@testable import CoreDataStore

@Suite("Columns of a store") struct StoreColumnTests {
  @Test("the first three columns belong to no property")
  func fixed() {
    #expect(StoreColumn.fixed.map(\.name) == ["Z_PK", "Z_ENT", "Z_OPT"])
    #expect(StoreColumn.fixed.allSatisfy { $0.property == nil && $0.type == .integer })
  }

  private static let property = PropertyReference("A", "x")

  @Test(
    "any other column belongs to one",
    arguments: [
      .attribute(property), .toOne(property), .destinationEntity(property), .position(property),
      .owner(property), .ownerPosition(property),
    ] as [StoreColumn.Role])
  func belongs(role: StoreColumn.Role) {
    let column = StoreColumn(name: "ZX", type: .integer, role: role)
    #expect(column.property == Self.property)
  }

  @Test(
    "values of each type have their declared type and group",
    arguments: [
      (.integer16, .integer, .integers), (.boolean, .integer, .integers),
      (.float, .float, .reals), (.double, .float, .reals), (.date, .timestamp, .reals),
      (.decimal, .decimal, .decimals), (.string, .varchar, .strings), (.uri, .varchar, .uris),
      (.uuid, .blob, .uuids), (.transformable, .blob, .transformables), (.binary, .blob, .binaries),
      (.objectID, .varchar, .objectIDs),
    ] as [(AttributeType, ColumnType, ColumnGroup)])
  func types(type: AttributeType, column: ColumnType, group: ColumnGroup) throws {
    let found = try #require(type.facts.column)
    #expect(found.type == column && found.group == group)
  }

  @Test(
    "values of some types have no column",
    arguments: [.undefined, .composite, .unknown("2200")] as [AttributeType])
  func noColumn(type: AttributeType) { #expect(type.facts.column == nil) }
}
