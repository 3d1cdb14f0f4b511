import Testing

@testable import CoreDataStore

@Suite("Differences of attributes")
struct AttributeAspectsTests {
  private static let cases: [(@Sendable (inout Attribute) -> Void, String)] = [
    ({ $0.type = .date }, "type: String, now Date"),
    ({ $0.isOptional = true }, "value: mandatory, now optional"),
    ({ $0.isTransient = true }, "storage: stored, now transient"),
    ({ $0.usesExternalStorage = true }, "external storage: no, now yes"),
    (
      { $0.derivation = Derivation(expression: .keyPath("b.c")) }, "derivation: none, now b.c"
    ),
    ({ $0.defaultValue = .string("x") }, "default: none, now \"x\""),
    ({ $0.validation = [.minimumLength(2)] }, "validation: none, now at least 2 long"),
    ({ $0.transformerName = "T" }, "transformer: none, now \"T\""),
    ({ $0.userInfo = ["b": "2", "a": "1"] }, "user info: none, now a, b"),
  ]

  @Test("each difference is one aspect in words", arguments: cases.indices)
  func one(place: Int) {
    let old = Attribute(name: "a", type: .string)
    var new = old
    Self.cases[place].0(&new)
    #expect(AttributeAspects.between(old, new).map(\.description) == [Self.cases[place].1])
  }

  @Test("what enters the hash comes first, and a new name alone is no aspect") func order() {
    let old = Attribute(name: "a", type: .string)
    var new = Attribute(name: "b", type: .date)
    new.renamingIdentifier = "a"
    new.isIndexed = true
    #expect(AttributeAspects.between(old, new).map(\.name) == ["type", "indexed"])
  }
}
