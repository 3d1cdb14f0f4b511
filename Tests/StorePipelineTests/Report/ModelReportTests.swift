import CoreDataStore
import StorePipeline
import StoreTestSupport
import Testing

@Suite("Model report")
struct ModelReportTests {
  /// Inheritance, an abstract entity, a constraint and a name that sorts by case.
  static func family() throws -> ModelReport {
    var base = Entity(name: "item")
    base.isAbstract = true
    base.attributes = [Attribute(name: "name", type: .string)]
    base.uniquenessConstraints = [["name"]]
    let entities = [
      base, Entity(name: "Zebra"), Entity(name: "Book", parent: "item"),
      Entity(name: "Ant", parent: "item"),
    ]
    let model = try Model(name: "M", entities: entities, configurations: ["Cloud": ["Zebra"]])
    return ModelReport(
      model, from: .init(path: "M.xcdatamodel", kind: "xcdatamodel", versions: ["M"], current: "M"))
  }

  @Test("entities stand in the order of their numbers") func numbers() throws {
    let report = try Self.family()
    #expect(report.entities.map(\.name) == ["item", "Ant", "Book", "Zebra"])
    #expect(report.numbers == ["item": 1, "Ant": 2, "Book": 3, "Zebra": 4])
    #expect(report.hash(of: report.entities[1])?.count == 44)
  }
}
