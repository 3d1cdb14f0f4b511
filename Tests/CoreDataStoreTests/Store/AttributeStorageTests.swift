import CoreDataStore
import Foundation
import SQLite
import Testing

@Suite("Attribute values in their columns") struct AttributeStorageTests {
  private static let name = "0F8FAD5B-D9CB-469F-A165-70867728950E"

  struct Case: Sendable {
    let storage: AttributeStorage
    let stored: Value
    let value: AttributeValue

    init(_ type: AttributeType, _ stored: Value, _ value: AttributeValue, external: Bool = false) {
      storage = AttributeStorage(type, isExternal: external)
      self.stored = stored
      self.value = value
    }
  }

  static let pairs: [Case] = [
    Case(.integer16, .integer(-7), .integer(-7)),
    Case(.integer64, .integer(.max), .integer(.max)),
    Case(.boolean, .integer(1), .boolean(true)), Case(.boolean, .integer(0), .boolean(false)),
    Case(.double, .real(1.5), .real(1.5)),
    Case(.float, .real(.greatestFiniteMagnitude), .real(.greatestFiniteMagnitude)),
    Case(.decimal, .integer(12), .decimal("12")), Case(.decimal, .real(0.1), .decimal("0.1")),
    Case(.date, .integer(700_000_000), .date(700_000_000)),
    Case(.date, .real(0.25), .date(0.25)), Case(.string, .text("ä"), .string("ä")),
    Case(.string, .text(""), .string("")), Case(.uri, .text("a:b"), .uri("a:b")),
    Case(
      .uuid, .blob([UInt8](repeating: 17, count: 16)),
      .uuid(UUID(uuidString: "11111111-1111-1111-1111-111111111111") ?? UUID())),
    Case(.binary, .blob([1, 2]), .binary([1, 2])), Case(.binary, .blob([]), .binary([])),
    Case(.binary, .blob([1, 9, 8]), .binary([9, 8]), external: true),
    Case(.transformable, .blob([1]), .transformable([]), external: true),
    Case(.transformable, .blob([5]), .transformable([5])), Case(.string, .null, .null),
  ]

  @Test("a value comes out of its column and goes back as it was", arguments: pairs)
  func roundTrip(example: Case) {
    #expect(example.storage.value(of: example.stored) == example.value)
    #expect(example.storage.stored(example.value) == example.stored)
  }

  @Test("a reference to a file is known by its exact form")
  func reference() throws {
    let storage = AttributeStorage(.binary, isExternal: true)
    let stored = Value.blob([2] + Array(Self.name.utf8) + [0])
    let reference = try #require(ExternalReference(Self.name))
    #expect(storage.value(of: stored) == .external(reference))
    #expect(storage.stored(.external(reference)) == stored)
    #expect(AttributeStorage(.binary).stored(.external(reference)) == nil)
  }

  @Test(
    "a path or anything but a UUID is no reference",
    arguments: [
      "", "../../../../../../../../../etc/passwd", "0f8fad5b-d9cb-469f-a165-70867728950e",
      "0F8FAD5B-D9CB-469F-A165-70867728950", "0F8FAD5B-D9CB-469F-A165-70867728950E/",
      "0F8FAD5B/D9CB-469F-A165-70867728950E", "0F8FAD5BD-9CB-469F-A165-70867728950E",
    ])
  func noReference(name: String) {
    #expect(ExternalReference(name) == nil)
    let stored = Value.blob([2] + Array(name.utf8) + [0])
    let storage = AttributeStorage(.transformable, isExternal: true)
    #expect(storage.value(of: stored) == .unexpected(UnexpectedValue(stored)))
  }

  static let strange: [Case] = [
    strange(.integer16, .text("1")), strange(.integer32, .real(1.5)),
    strange(.boolean, .integer(2)), strange(.double, .text("1.5")), strange(.date, .blob([1])),
    strange(.date, .integer(.max)), strange(.decimal, .text("0x10")),
    strange(.decimal, .text("nan")), strange(.decimal, .real(.infinity)),
    strange(.string, .integer(1)), strange(.string, .text(Text(bytes: [0xff]))),
    strange(.uri, .blob([1])), strange(.uuid, .blob([1])), strange(.uuid, .text("x")),
    strange(.binary, .text("x")), strange(.binary, .blob([]), external: true),
    strange(.binary, .blob([3, 1]), external: true), strange(.unknown("x"), .integer(1)),
  ]

  private static func strange(
    _ type: AttributeType, _ stored: Value, external: Bool = false
  ) -> Case {
    Case(type, stored, .unexpected(UnexpectedValue(stored)), external: external)
  }

  @Test("what does not belong into a column is kept as it is", arguments: strange)
  func unexpected(example: Case) {
    #expect(example.storage.value(of: example.stored) == example.value)
    #expect(example.storage.stored(example.value) == example.stored)
  }

  @Test("a decimal's exact digits are kept where the column keeps them")
  func decimals() {
    let storage = AttributeStorage(.decimal)
    #expect(storage.value(of: .text("1.10")) == .decimal("1.10"))
    #expect(storage.stored(.decimal("1.10")) == .real(1.1))
    #expect(storage.stored(.decimal("2.0")) == .integer(2))
    #expect(storage.stored(.decimal("9223372036854775808")) == .real(9_223_372_036_854_775_808))
    #expect(storage.stored(.decimal("ten")) == nil)
  }

  @Test("a value of another type has no place in the column")
  func mismatch() {
    #expect(AttributeStorage(.string).stored(.integer(1)) == nil)
    #expect(AttributeStorage(.uuid).stored(.string("x")) == nil)
    #expect(AttributeStorage(.unknown("x")).stored(.integer(1)) == nil)
  }

  @Test("SQLite agrees with what a column of the declared type makes of a value")
  func affinity() throws {
    let store = try Connection(inMemory: .own)
    try store.execute("CREATE TABLE t (d DECIMAL, s TIMESTAMP)")
    for digits in ["1.10", "2.0", "-0.0", "1e3", "0.1", "12345678901234567890"] {
      let decimal = try #require(AttributeStorage(.decimal).stored(.decimal(digits)))
      let date = try #require(AttributeStorage(.date).stored(.date(Double(digits) ?? 0)))
      try store.run("INSERT INTO t VALUES (?1, ?2)", [decimal, date])
      #expect(try store.rows("SELECT d, s FROM t") == [[decimal, date]])
      try store.execute("DELETE FROM t")
    }
  }
}
