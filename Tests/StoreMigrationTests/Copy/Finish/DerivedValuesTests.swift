import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Derived attributes of a finished store", .temporaryFolder)
struct DerivedValuesTests {
  private static func derived(_ name: String, _ type: String, _ expression: String) -> String {
    MappingModels.attribute(
      name, type, "optional=\"YES\" derived=\"YES\" derivationExpression=\"\(expression)\"")
  }

  private static func model(_ derived: String) -> String {
    """
    <entity name="Book">\(MappingModels.attribute("title", "String"))\(derived)
      <relationship name="pages" optional="YES" toMany="YES" destinationEntity="Page"
        inverseName="book" inverseEntity="Page"/></entity>
    <entity name="Page">\(MappingModels.attribute("lines", "Integer 64"))
      \(Self.derived("bookTitle", "String", "book.title"))
      <relationship name="book" optional="YES" maxCount="1" destinationEntity="Book"
        inverseName="pages" inverseEntity="Book"/></entity>
    """
  }

  private static func fill(_ store: Connection, _ schema: StoreSchema) throws {
    try LinkSample.insert(store, schema, "Book", 1, ["ZTITLE": .text("one")])
    try LinkSample.insert(store, schema, "Book", 2, ["ZTITLE": .text("two")])
    for key in Int64(1)...3 {
      try LinkSample.insert(
        store, schema, "Page", key, ["ZLINES": .integer(10 * key), "ZBOOK": .integer(1)])
    }
  }

  @Test(
    "are computed from the objects that are there",
    arguments: [
      ("pages.@count", "Integer 64", [3, 0] as [Int64?]),
      ("pages.lines.@sum", "Integer 64", [60, 0]), ("sum:(pages.lines)", "Integer 64", [60, 0]),
      ("max:(pages.lines)", "Integer 64", [30, nil]),
    ])
  func computed(_ expression: String, _ type: String, _ expected: [Int64?]) throws {
    let sample = try LinkSample(
      Self.model(""), Self.model(Self.derived("d", type, expression)), fill: Self.fill)
    let builder = try sample.copied()
    _ = try LinkCopy(builder).run()
    _ = try StoreFinish(builder, FinishChoices()).run()
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    #expect(try store.rows("SELECT ZD FROM ZBOOK ORDER BY Z_PK").map { $0[0].integer } == expected)
    let titles = try store.rows("SELECT DISTINCT ZBOOKTITLE FROM ZPAGE")
    #expect(titles == [[.text("one")]])
  }

  @Test("of other derived attributes are computed after these")
  func derivedOfDerived() throws {
    let xml = """
      <entity name="Book">\(MappingModels.attribute("size", "Integer 64"))
        \(Self.derived("most", "Integer 64", "max:(pages.weight)"))
        <relationship name="pages" optional="YES" toMany="YES" destinationEntity="Page"
          inverseName="book" inverseEntity="Page"/></entity>
      <entity name="Page">\(Self.derived("weight", "Integer 64", "book.size"))
        <relationship name="book" optional="YES" maxCount="1" destinationEntity="Book"
          inverseName="pages" inverseEntity="Book"/></entity>
      """
    let sample = try LinkSample(xml, xml) { store, schema in
      try LinkSample.insert(store, schema, "Book", 1, ["ZSIZE": .integer(7)])
      try LinkSample.insert(store, schema, "Page", 1, ["ZBOOK": .integer(1)])
    }
    let builder = try sample.copied()
    _ = try LinkCopy(builder).run()
    _ = try StoreFinish(builder, FinishChoices()).run()
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    #expect(try store.integer("SELECT ZMOST FROM ZBOOK") == 7)
  }

  @Test("keep the value of the source where they cannot be computed, and it is said")
  func notComputed() throws {
    let xml = Self.model(Self.derived("d", "Date", "noindex:(title)"))
    let sample = try LinkSample(xml, xml) { store, schema in
      try Self.fill(store, schema)
      try store.run("UPDATE ZBOOK SET ZD = Z_PK + 0.5", [])
    }
    let builder = try sample.copied()
    let summary = try StoreFinish(builder, FinishChoices()).run()
    #expect(summary.warnings.map(\.subject) == ["derived attribute Book.d"])
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    #expect(try store.rows("SELECT ZD FROM ZBOOK ORDER BY Z_PK") == [[.real(1.5)], [.real(2.5)]])
  }

  @Test(
    "texts are put into their form, and the time is that of the migration",
    arguments: [
      ("uppercase:(title)", "String", Value.text("STRAßE É".uppercased())),
      ("lowercase:(title)", "String", .text("straße é")),
      ("canonical:(title)", "String", .text("strasse e")), ("now()", "Date", .integer(7)),
    ])
  func forms(expression: String, type: String, expected: Value) throws {
    let sample = try LinkSample(
      Self.model(""), Self.model(Self.derived("d", type, expression)),
      fill: { store, schema in
        try LinkSample.insert(store, schema, "Book", 1, ["ZTITLE": .text("Straße É")])
      })
    let builder = try sample.copied()
    var choices = FinishChoices()
    choices.marksHistory = 7
    _ = try StoreFinish(builder, choices).run()
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    #expect(try store.scalar("SELECT ZD FROM ZBOOK") == expected)
  }
}
