import Formats
import StoreTestSupport
import Testing

@testable import CoreDataStore

/// Compiled models made in a test: one entity with one property.
enum CompiledSample {
  /// The entity `A` whose property `x` is made by the test.
  static func entity(
    _ property: ((inout ArchiveMaker) -> PropertyList)? = nil,
    fields: (inout ArchiveMaker) -> [String: PropertyList] = { _ in [:] }
  ) throws -> Entity {
    var maker = ArchiveMaker()
    var own = fields(&maker)
    own["NSEntityName"] = maker.add(.string("A"))
    if let property { own["NSProperties"] = maker.add(table: ["x": property(&maker)]) }
    let entity = maker.add("NSEntityDescription", own)
    let entities = maker.add(table: ["A": entity])
    let root = maker.add("NSManagedObjectModel", ["NSEntities": entities])
    let model = try CompiledModelReader.read(maker.bytes(root: root), name: "T")
    return try #require(model.entity(named: "A"))
  }

  /// The attribute `x` of a type, with these fields and those that the test adds.
  static func attribute(
    _ type: Int64, _ fields: [String: PropertyList] = [:],
    adding more: @escaping (inout ArchiveMaker) -> [String: PropertyList] = { _ in [:] }
  ) throws -> Attribute {
    let entity = try entity { maker in
      let own: [String: PropertyList] = [
        "NSPropertyName": maker.add(.string("x")), "NSAttributeType": .integer(type),
      ]
      let added = more(&maker)
      return maker.add(
        "NSAttributeDescription", own.merging(fields) { $1 }.merging(added) { $1 })
    }
    return try #require(entity.attributes.first)
  }

  /// The object itself, as the readers of compiled models get it.
  static func object(
    budget: UnfoldBudget = UnfoldBudget(), _ make: (inout ArchiveMaker) -> PropertyList
  ) throws -> CompiledObject {
    var maker = ArchiveMaker()
    let root = make(&maker)
    return CompiledObject(try KeyedArchive(maker.bytes(root: root)).root, budget: budget)
  }

  /// The error that a model of these entities, made by the test, is refused with.
  static func refusal(
    _ entities: (inout ArchiveMaker) -> [String: PropertyList]
  ) throws -> Failure? {
    var maker = ArchiveMaker()
    let table = entities(&maker)
    let list = maker.add(table: table)
    let root = maker.add("NSManagedObjectModel", ["NSEntities": list])
    let bytes = try maker.bytes(root: root)
    return #expect(throws: Failure.self) { try CompiledModelReader.read(bytes, name: "T") }
  }
}
