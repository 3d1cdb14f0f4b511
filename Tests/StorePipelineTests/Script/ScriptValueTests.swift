import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Values of scripts in attributes", .temporaryFolder)
struct ScriptValueTests {
  private static let types = [
    "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean",
    "Date", "Binary", "UUID", "URI", "Transformable",
  ]

  private static func entity(_ type: String, _ more: String = "") -> String {
    """
    <entity name="A"><attribute name="a" attributeType="\(type)" optional="YES" \(more)/></entity>
    """
  }

  /// What the column holds when a script gives its attribute a value, "type value".
  private static func stored(
    _ expression: String, as type: String, _ more: String = ""
  ) throws
    -> String
  {
    let script = try ScriptText(
      "return { attributes = { a = function() return \(expression) end } }")
    let stores = try BuildSample(
      entity("String"), entity(type, more),
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)",
      in: TemporaryFolder.url
    ) { $0.scripts = [ScriptClaim(entity: "A", attributes: ["a"])] }
    let builder = try stores.builder()
    let options = ScriptOptions(runID: "", now: .distantPast, rejectsPath: stores.path("rejects"))
    do {
      let run = try ScriptRun(try script.outline(), builder, entity: "A", options)
      try ScriptSample.finish(run)
      let found = try BuildSample.rows("SELECT typeof(ZA), ZA FROM ZA", builder)
      return (found.first ?? "nothing") + (run.counts.rounded > 0 ? " rounded" : "")
    } catch let failure as ScriptFailure {
      return failure.message
    }
  }

  @Test(
    "the attribute's type decides what is stored",
    arguments: [
      ("Integer 16", "10.0", "integer|10"), ("Integer 16", "32767", "integer|32767"),
      ("Integer 32", "-2147483648", "integer|-2147483648"),
      ("Integer 64", "math.maxinteger", "integer|9223372036854775807"),
      ("Integer 64", "2^53", "integer|9007199254740992"),
      ("Double", "3", "real|3.0"), ("Double", "0.1", "real|0.1"),
      ("Float", "0.1", "real|0.10000000149011612"), ("Date", "700000000", "integer|700000000"),
      ("Date", "0.5", "real|0.5"), ("Decimal", "'12.50'", "real|12.5"),
      ("Decimal", "7", "integer|7"),
      ("Decimal", "0.1", "real|0.1"),
      ("Decimal", "'12345678901234567890.5'", "real|1.2345678901234567e+19 rounded"),
      ("Boolean", "true", "integer|1"), ("Boolean", "1 == 2", "integer|0"),
      ("String", "''", "text|"), ("String", "'é'", "text|é"),
      ("URI", "'https://a.b'", "text|https://a.b"),
      ("UUID", "'00000000-0000-0000-0000-0000000000FF'", "blob|0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ff"),
      ("Binary", "'\\0\\255'", "blob|0 ff"), ("Transformable", "'ab'", "blob|61 62"),
    ])
  func fits(type: String, expression: String, stored: String) throws {
    #expect(try Self.stored(expression, as: type) == stored)
  }

  @Test("nil is NULL for every type", arguments: types)
  func null(type: String) throws {
    #expect(try Self.stored("nil", as: type) == "null|NULL")
  }

  @Test(
    "a value of another kind is a mistake, reported without the value",
    arguments: [
      (
        "Integer 32", "10.5",
        "it is an Integer 32 and was given a number that is not whole or too large"
      ),
      ("Integer 16", "32768", "it is an Integer 16 and was given a number that is too large"),
      (
        "Integer 64", "2^63",
        "it is an Integer 64 and was given a number that is not whole or too large"
      ),
      (
        "Integer 64", "0/0",
        "it is an Integer 64 and was given a number that is not whole or too large"
      ),
      ("Integer 64", "'7'", "it is an Integer 64 and was given a string; write tonumber(x)"),
      ("Integer 64", "true", "it is an Integer 64 and was given a boolean"),
      ("Double", "0/0", "it is a Double and was given a number that is not finite"),
      ("Float", "1e300", "it is a Float and was given a number that is too large"),
      ("Date", "'2026'", "it is a Date and was given a string; write date.parse(x)"),
      ("Decimal", "'1,5'", "it is a Decimal and was given a text that is no decimal number"),
      ("Decimal", "'nan'", "it is a Decimal and was given a text that is no decimal number"),
      ("Boolean", "1", "it is a Boolean and was given a number; write x ~= 0"),
      ("String", "1", "it is a String and was given a number; write tostring(x) or string.format"),
      ("String", "'\\255'", "it is a String and was given bytes that are not UTF-8"),
      ("UUID", "'x'", "it is a UUID and was given a text that is not its 36 characters"),
      (
        "UUID", "('x'):rep(16)",
        "it is a UUID and was given a text that is not its 36 characters; write uuid.text(x)"
      ),
      (
        "Binary", "{}",
        "it is a Binary and was given a table; write one value of it, such as x[1] or x.name"
      ),
      (
        "Transformable", "{}", "it is a Transformable and was given a table; write plist.archive(x)"
      ),
    ])
  func misfits(type: String, expression: String, message: String) throws {
    #expect(try Self.stored(expression, as: type) == "A.a: \(message)")
  }

  @Test("nil in a mandatory attribute is a mistake")
  func mandatory() throws {
    let sample = try ScriptSample("return { attributes = { title = function() return nil end } }")
    #expect(try sample.failure()?.message == "Item.title: it is mandatory and was given nil")
  }

  @Test("a value with room for files next to the store gets the mark of what is not in one")
  func external() throws {
    let more = "allowsExternalBinaryDataStorage=\"YES\""
    #expect(try Self.stored("'ab'", as: "Binary", more) == "blob|1 61 62")
  }

  @Test("every type is read as a script expects it")
  func reads() throws {
    let names = [
      "Integer 16", "Boolean", "Double", "Decimal", "Date", "String", "UUID", "Binary",
    ]
    let attributes = names.enumerated().map { place, type in
      "<attribute name=\"a\(place)\" attributeType=\"\(type)\" optional=\"YES\"/>"
    }.joined()
    let script = try ScriptText(
      """
      return { attributes = { text = function(a0, a1, a2, a3, a4, a5, a6, a7)
        local list = {}
        for i, v in ipairs { a0, a1, a2, a3, a4, a5, a6, a7 } do
          list[i] = (math.type(v) or type(v)) .. " " .. tostring(v)
        end
        return table.concat(list, ", ")
      end } }
      """)
    let stores = try BuildSample(
      "<entity name=\"A\">\(attributes)</entity>",
      """
      <entity name="A"><attribute name="text" attributeType="String" optional="YES"/></entity>
      """,
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZA0, ZA1, ZA2, ZA3, ZA4, ZA5, ZA6, ZA7)
        VALUES (1, 1, 1, 7, 1, 2, 1.50, 5, 'x', zeroblob(16), x'61')
        """, in: TemporaryFolder.url
    ) {
      $0.scripts = [
        ScriptClaim(
          entity: "A", attributes: ["text"], reads: Set(names.indices.map { "a\($0)" }))
      ]
    }
    let builder = try stores.builder()
    let options = ScriptOptions(runID: "", now: .distantPast, rejectsPath: stores.path("rejects"))
    try ScriptSample.finish(
      try ScriptRun(try script.outline(), builder, entity: "A", options))
    #expect(
      try BuildSample.rows("SELECT ZTEXT FROM ZA", builder) == [
        "integer 7, boolean true, float 2.0, string 1.5, float 5.0, string x, "
          + "string 00000000-0000-0000-0000-000000000000, string a"
      ])
  }
}
