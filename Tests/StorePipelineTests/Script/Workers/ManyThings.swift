import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport

/// Twelve thousand things of all types, with gaps between their keys and another entity's objects
/// in their table, and a script that computes their values again.
struct ManyThings: WorkersSample {
  static let entity = "Thing"
  static let chunk = 1700
  let script: ScriptText
  let stores: BuildSample

  static let count = 12_000

  private static let types = [
    "name": "String", "small": "Integer 16", "middle": "Integer 32", "large": "Integer 64",
    "real": "Double", "single": "Float", "truth": "Boolean", "moment": "Date", "sum": "Decimal",
    "ident": "UUID", "link": "URI", "bytes": "Binary",
  ]

  /// A function for each of them that gives back what it is given.
  static let all =
    types.keys.sorted().map { "\($0) = function(\($0)) return \($0) end" }
    .joined(separator: ", ")

  private static let model =
    types.sorted { $0.key < $1.key }.map {
      "<attribute name=\"\($0.key)\" optional=\"YES\" attributeType=\"\($0.value)\"/>"
    }.joined()

  private static let rows = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 3000))
    INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSMALL, ZMIDDLE, ZLARGE, ZREAL, ZSINGLE, ZTRUTH,
      ZMOMENT, ZSUM, ZIDENT, ZLINK, ZBYTES)
    SELECT i * 5 + i % 3, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME =
      CASE WHEN i % 5 = 4 THEN 'Special' ELSE 'Thing' END), 1,
      CASE WHEN i % 7 = 0 THEN NULL ELSE 'thing ' || i END, i % 32768, i * 1000, i * 5000000001,
      CASE WHEN i % 11 = 0 THEN NULL ELSE i / 7.0 END, i / 2.0, i % 2, i * 60.5, i * 1.25,
      CASE WHEN i % 13 = 0 THEN NULL ELSE randomblob(16) END, 'https://example.com/' || i,
      CASE WHEN i % 17 = 0 THEN NULL ELSE randomblob(i % 40) END FROM n
    """

  /// The things, and a script with these functions; `before` stands in front of its table.
  init(_ functions: String, before: String = "", hooks: String = "") throws {
    script = try ScriptText(
      "\(before)\nreturn { \(hooks) attributes = { \(functions) } }", name: "things.lua")
    let outline = try script.outline()
    let body = """
      <entity name="Thing">\(Self.model)</entity>
      <entity name="Special" parentEntity="Thing"/>
      """
    stores = try BuildSample(body, body, rows: Self.rows, in: TemporaryFolder.url) {
      $0.scripts = [
        ScriptClaim(entity: "Thing", attributes: outline.computed, reads: outline.reads)
      ]
    }
  }

  /// The things, in the order of their keys.
  func rows(_ builder: StoreBuilder) throws -> [String] {
    let columns = Self.types.keys.sorted().map { "|| ' ' || quote(Z\($0))" }.joined()
    return try BuildSample.rows(
      "SELECT Z_PK || ' ' || Z_ENT || ' ' || Z_OPT \(columns) FROM ZTHING ORDER BY Z_PK", builder)
  }
}
