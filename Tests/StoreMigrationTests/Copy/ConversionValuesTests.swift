import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

private typealias M = MappingModels

@Suite("Values converted") struct ConversionValuesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let from: AttributeType
    let to: AttributeType
    let value: AttributeValue
    let result: AttributeValue?

    init(
      _ from: AttributeType, _ to: AttributeType, _ value: AttributeValue,
      _ result: AttributeValue?
    ) {
      (self.from, self.to, self.value, self.result) = (from, to, value, result)
    }

    var testDescription: String { "\(from.name) to \(to.name): \(value)" }
  }

  static let numbers: [Case] = [
    Case(.integer64, .integer16, .integer(32_767), .integer(32_767)),
    Case(.integer64, .integer16, .integer(32_768), nil),
    Case(.integer64, .integer32, .integer(-2_147_483_648), .integer(-2_147_483_648)),
    Case(.integer64, .integer32, .integer(-2_147_483_649), nil),
    Case(.integer32, .float, .integer(16_777_217), .real(16_777_216)),
    Case(.integer64, .double, .integer(9_007_199_254_740_993), .real(9_007_199_254_740_992)),
    Case(.double, .integer64, .real(-4), .integer(-4)),
    Case(.double, .integer64, .real(4.5), nil), Case(.double, .integer64, .real(1e300), nil),
    Case(.double, .integer16, .real(40_000), nil),
    Case(.double, .integer32, .real(.infinity), nil),
    Case(.double, .float, .real(0.1), .real(Double(Float(0.1)))),
    Case(.double, .float, .real(1e39), nil), Case(.double, .float, .real(-1e39), nil),
    Case(.double, .float, .real(.infinity), .real(.infinity)),
    Case(.double, .decimal, .real(0.1), .decimal("0.1")),
    Case(.double, .decimal, .real(.infinity), nil),
    Case(.double, .decimal, .real(1e127), .decimal("1e127")),
    Case(.double, .decimal, .real(1e128), nil),
    Case(.double, .decimal, .real(Double.leastNonzeroMagnitude), nil),
    Case(.float, .decimal, .real(Double(Float(0.1))), .decimal("0.1")),
    Case(.decimal, .integer64, .decimal("9223372036854775807"), .integer(.max)),
    Case(.decimal, .integer64, .decimal("5.0"), .integer(5)),
    Case(.decimal, .integer64, .decimal("1e3"), .integer(1000)),
    Case(.decimal, .integer64, .decimal("0.5"), nil),
    Case(.decimal, .integer64, .decimal("1e+20"), nil),
    Case(.decimal, .double, .decimal("0.1"), .real(0.1)),
    Case(.decimal, .float, .decimal("0.1"), .real(Double(Float(0.1)))),
    Case(.decimal, .float, .decimal("-1e100"), nil),
    Case(.decimal, .float, .decimal("3.5e38"), nil),
    Case(.decimal, .float, .decimal("3e38"), .real(Double(Float(3e38)))),
    Case(.integer16, .boolean, .integer(1), .boolean(true)),
    Case(.integer16, .boolean, .integer(0), .boolean(false)),
    Case(.integer16, .boolean, .integer(2), nil),
  ]

  static let texts: [Case] = [
    Case(.integer64, .string, .integer(-7), .string("-7")),
    Case(.double, .string, .real(2), .string("2")),
    Case(.double, .string, .real(1.5), .string("1.5")),
    Case(.double, .string, .real(0.1), .string("0.1")),
    Case(.double, .string, .real(1e22), .string("1e22")),
    Case(.double, .string, .real(0.00001), .string("1e-5")),
    Case(.double, .string, .real(1.5e-10), .string("1.5e-10")),
    Case(.float, .string, .real(Double(Float(0.1))), .string("0.1")),
    Case(.decimal, .string, .decimal("12.5"), .string("12.5")),
    Case(.boolean, .string, .boolean(true), .string("true")),
    Case(.boolean, .string, .boolean(false), .string("false")),
    Case(.string, .integer16, .string("12"), .integer(12)),
    Case(.string, .integer16, .string("40000"), nil),
    Case(.string, .integer64, .string("9223372036854775807"), .integer(.max)),
    Case(.string, .integer64, .string("1e3"), .integer(1000)),
    Case(.string, .integer64, .string(" 1"), nil), Case(.string, .integer64, .string(""), nil),
    Case(.string, .integer64, .string("1x"), nil), Case(.string, .integer64, .string("0x10"), nil),
    Case(.string, .integer64, .string("1.5"), nil),
    Case(.string, .double, .string("1.5"), .real(1.5)),
    Case(.string, .double, .string("nan"), nil), Case(.string, .double, .string("1e999"), nil),
    Case(.string, .double, .string("0x1p3"), nil),
    Case(.string, .float, .string("0.1"), .real(Double(Float(0.1)))),
    Case(.string, .decimal, .string("0.10"), .decimal("0.10")),
    Case(
      .string, .decimal, .string(String(repeating: "9", count: 38)),
      .decimal(String(repeating: "9", count: 38))),
    Case(.string, .decimal, .string(String(repeating: "9", count: 39)), nil),
    Case(.string, .decimal, .string("ten"), nil), Case(.string, .decimal, .string(""), nil),
    Case(.string, .uri, .string("https://a.b/c?d#e"), .uri("https://a.b/c?d#e")),
    Case(.string, .uri, .string("a b"), nil), Case(.string, .uri, .string(""), nil),
    Case(.string, .uuid, .string("0f8fad5b-d9cb-469f-a165-70867728950e"), .uuid(uuid)),
    Case(.string, .uuid, .string("0F8FAD5B-D9CB-469F-A165-70867728950E "), nil),
    Case(.uuid, .string, .uuid(uuid), .string("0F8FAD5B-D9CB-469F-A165-70867728950E")),
  ]

  static let dates: [Case] = [
    Case(.date, .integer64, .date(-0.5), .integer(-1)),
    Case(.date, .integer16, .date(40_000.9), nil), Case(.date, .integer64, .date(1e300), nil),
    Case(.date, .float, .date(16_777_217), .real(16_777_216)),
    Case(.date, .decimal, .date(700_000_000.5), .decimal("700000000.5")),
    Case(.date, .decimal, .date(-.infinity), nil),
    Case(.decimal, .date, .decimal("12.25"), .date(12.25)),
    Case(.date, .string, .date(0), .string("2001-01-01T00:00:00.000Z")),
    Case(.date, .string, .date(-978_307_200), .string("1970-01-01T00:00:00.000Z")),
    Case(.date, .string, .date(-0.0004), .string("2001-01-01T00:00:00.000Z")),
    Case(.date, .string, .date(-0.25), .string("2000-12-31T23:59:59.750Z")),
    Case(.date, .string, .date(762_480_000), .string("2025-03-01T00:00:00.000Z")),
    Case(.date, .string, .date(730_943_999.999), .string("2024-02-29T23:59:59.999Z")),
    Case(.date, .string, .date(-63_113_904_000), .string("0001-01-01T00:00:00.000Z")),
    Case(.date, .string, .date(-63_113_904_001), nil),
    Case(.date, .string, .date(252_423_993_599), .string("9999-12-31T23:59:59.000Z")),
    Case(.date, .string, .date(252_423_993_600), nil), Case(.date, .string, .date(.nan), nil),
  ]

  private static let uuid =
    UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E") ?? UUID()

  @Test(
    "a value becomes what the rule says, or has no counterpart", arguments: numbers + texts + dates)
  func convert(example: Case) throws {
    let conversion = try #require(Conversion(from: example.from, to: example.to))
    #expect(conversion.convert(example.value) == example.result)
    #expect(example.result != nil || conversion.canFail)
  }

  @Test("what a harmless conversion leaves to SQLite is stored as the new type stores it")
  func storedForms() throws {
    let types = AttributeType.allCases
    let connection = try Connection(inMemory: .own)
    for source in types {
      for target in types {
        guard let conversion = Conversion(from: source, to: target), conversion.keepsStoredForm,
          let value = Self.sample(source)
        else { continue }
        let old = try #require(AttributeStorage(source).stored(value))
        let word = Self.columnType(target)
        try connection.execute("DROP TABLE IF EXISTS t; CREATE TABLE t (v \(word))")
        try connection.run("INSERT INTO t VALUES (?1)", [old])
        let stored = try #require(try connection.scalar("SELECT v FROM t"))
        let converted = try #require(conversion.convert(value))
        #expect(AttributeStorage(target).value(of: stored) == converted, "\(source) \(target)")
      }
    }
  }

  private static func sample(_ type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(7)
    case .boolean: .boolean(true)
    case .double, .float: .real(2)
    case .date: .date(3)
    case .uri: .uri("a:b")
    default: nil
    }
  }

  private static func columnType(_ type: AttributeType) -> String {
    switch type {
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string: "VARCHAR"
    default: "INTEGER"
    }
  }
}

@Suite("Conversions in a copy", .temporaryFolder) struct ConvertedCopyTests {
  private static let optional = "optional=\"YES\""

  private func sample(_ rows: String) throws -> CopySample {
    try CopySample.entity(
      M.attribute("price", "String", Self.optional) + M.attribute("n", "Integer 64", Self.optional),
      M.attribute("price", "Double", Self.optional) + M.attribute("n", "Integer 64", Self.optional),
      rows: rows
    ) {
      $0.maps = [EntityMap(entity: "A", attributes: ["price": .convert("price", to: .double)])]
    }
  }

  @Test("values are converted, the others stay, NULL stays NULL")
  func converted() throws {
    let sample = try sample(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZPRICE, ZN) VALUES (1, 1, 1, '1.5', 9223372036854775807),
      (2, 1, NULL, NULL, NULL), (3, 1, 4, '2', 'odd');
      """)
    #expect(
      try sample.rows("SELECT Z_PK, Z_OPT, ZPRICE, ZN FROM main.ZA") == [
        [.integer(1), .integer(1), .real(1.5), .integer(.max)],
        [.integer(2), .null, .null, .null],
        [.integer(3), .integer(4), .real(2), .text("odd")],
      ])
  }

  @Test("an error names the entity, key and attribute of what cannot be converted, not the value")
  func failing() throws {
    let sample = try sample(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZPRICE) VALUES (1, 1, 1, '1'), (2, 1, 1, 'secret');
      """)
    let builder = try sample.builder()
    let error = #expect(throws: Failure.self) { try CopySample.copyAll(builder) }
    #expect(error?.subject == "entity A, Z_PK 2, attribute price")
    #expect(error?.why.contains("String to Double") == true)
    #expect(error?.description.contains("secret") == false)
    #expect(try builder.connection.integer("SELECT count(*) FROM main.ZA") == 0)
  }

  @Test("a date that has no text of four digits for its year is an error that says the range")
  func distant() throws {
    let past = Date.distantPast.timeIntervalSinceReferenceDate
    let sample = try CopySample.entity(
      M.attribute("at", "Date", Self.optional), M.attribute("at", "String", Self.optional),
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZAT) VALUES (1, 1, 1, 0), (2, 1, 1, \(past));"
    ) {
      $0.maps = [EntityMap(entity: "A", attributes: ["at": .convert("at", to: .string)])]
    }
    let error = #expect(throws: Failure.self) { try CopySample.copyAll(sample.builder()) }
    #expect(error?.subject == "entity A, Z_PK 2, attribute at")
    #expect(
      error?.why.contains("before the year 1, as Date.distantPast is, or after 9999") == true)
    #expect(error?.remedy.contains("let a script convert it") == true)
  }
}
