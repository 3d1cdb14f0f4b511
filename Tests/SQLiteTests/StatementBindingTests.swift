import SQLite
import Testing

@Suite("Binding") struct StatementBindingTests {
  private static let values: [Value] = [
    .null, .integer(.min), .integer(0), .real(0.1), .real(.infinity), .real(2), .text(""),
    .text("a\0b"), .text(Text(bytes: [0xc3, 0x28])), .blob([]), .blob([0]),
    .blob([UInt8](repeating: 7, count: 100_000)),
  ]

  private let store: Connection

  init() throws {
    store = try Connection(inMemory: .own)
    try store.execute("CREATE TABLE a (v); CREATE TABLE b (v)")
  }

  @Test("a value comes back as it was bound", arguments: values)
  func roundTrip(value: Value) throws {
    #expect(try store.scalar("SELECT ?1", [value]) == value)
    try store.run("INSERT INTO a VALUES (?1)", [value])
    #expect(try store.scalar("SELECT v FROM a") == value)
  }

  @Test("NaN is stored as NULL, as SQLite says")
  func nan() throws {
    #expect(try store.scalar("SELECT ?1", [.real(.nan)]) == .null)
  }

  @Test("a column is bound straight from another statement's row, class and bytes kept")
  func straight() throws {
    for value in Self.values { try store.run("INSERT INTO a VALUES (?1)", [value]) }
    let source = try store.prepare("SELECT v FROM a")
    let target = try store.prepare("INSERT INTO b VALUES (?1)")
    try source.forEach { row in
      try target.bind(1, fromColumn: 0, of: row)
      try target.run()
      target.clear()
    }
    #expect(try store.rows("SELECT v FROM b") == Self.values.map { [$0] })
  }

  @Test("a bound blob is not copied: the target reads the source's own bytes")
  func notCopied() throws {
    try store.run("INSERT INTO a VALUES (?1)", [.blob([UInt8](repeating: 1, count: 5000))])
    let source = try store.prepare("SELECT v FROM a")
    let target = try store.prepare("SELECT ?1")
    try source.step()
    try target.bind(1, fromColumn: 0, of: source.row)
    try target.step()
    let original = unsafe try source.row.withBlob(0) { UInt(bitPattern: $0.baseAddress) }
    let seen = unsafe try target.row.withBlob(0) { UInt(bitPattern: $0.baseAddress) }
    #expect(original == seen)
  }

  @Test("parameters can be bound by name")
  func byName() throws {
    let statement = try store.prepare("SELECT :a, @b, $c")
    try statement.bind(.integer(1), to: ":a")
    try statement.bind(.text("x"), to: "@b")
    try statement.step()
    let values = try statement.row.values()
    #expect(values == [.integer(1), .text("x"), .null])
    #expect(sqliteError { try statement.bind(.null, to: ":d") }?.isMisuse == true)
  }

  @Test("a parameter that is not there is an error", arguments: [0, 2, -1, Int.max])
  func outOfRange(parameter: Int) throws {
    let statement = try store.prepare("SELECT ?1")
    #expect(sqliteError { try statement.bind(.integer(1), at: parameter) }?.isMisuse == true)
  }

  @Test("a failed binding says nothing of the value")
  func silent() throws {
    try store.execute("CREATE TABLE c (v UNIQUE); INSERT INTO c VALUES ('secret')")
    let error = sqliteError { try store.run("INSERT INTO c VALUES (?1)", [.text("secret")]) }
    #expect(error?.isConstraint == true)
    #expect(error?.name == "SQLITE_CONSTRAINT_UNIQUE")
    #expect(error.map { "\($0)" }?.contains("INSERT INTO c VALUES (?1)") == true)
  }
}
