import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Conditions as tables", .temporaryFolder)
struct ScriptConditionTests {
  private static let model = """
    <entity name="Item">
      <attribute name="s" optional="YES" attributeType="String"/>
      <attribute name="d" optional="YES" attributeType="Date"/>
      <attribute name="m" optional="YES" attributeType="Decimal"/>
      <attribute name="u" optional="YES" attributeType="UUID"/>
      <attribute name="b" optional="YES" attributeType="Boolean"/>
      <attribute name="f" optional="YES" attributeType="Float"/>
      <attribute name="i" optional="YES" attributeType="Integer 64"/>
      <attribute name="x" optional="YES" attributeType="Binary"/>
      <relationship name="next" optional="YES" maxCount="1" destinationEntity="Item"/>
    </entity>
    """

  /// What a script counts when all is there, with the item's own values in `o`.
  private func found(_ table: String, _ values: String) throws -> String {
    let script = try ScriptText(
      """
      return { create = function(item, new, ctx) return ctx.default() end, creates = { "Item" },
        relate = function(o, ctx)
          if o.s ~= "other" then ctx.warn("" .. ctx.count("Item", \(table))) end
        end }
      """)
    let outline = try script.outline()
    let stores = try BuildSample(
      Self.model, Self.model,
      rows: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZS, ZD, ZM, ZU, ZB, ZF, ZI, ZX) VALUES "
        + "(1, 1, 1, \(values)), (2, 1, 1, 'other', 7, 7, NULL, NULL, 7, 7, NULL)",
      in: TemporaryFolder.url
    ) { $0.scripts = [.init(entity: "Item", makesObjects: true)] }
    let run = try ScriptRun(
      outline, try stores.builder(), entity: "Item",
      ScriptOptions(runID: "run", now: .now, rejectsPath: stores.path("rejects.sqlite")))
    try ScriptSample.finish(run)
    return run.warnings.first?.message ?? ""
  }

  @Test(
    "whatever an object holds finds it again",
    arguments: ["s", "d", "m", "u", "b", "f", "i"],
    [
      "'tab' || char(9) || 'bell' || char(7) || '\"\\', -1e-5, 1.10, "
        + "x'00112233445566778899AABBCCDDEEFF', 1, 0.10000000149011612, -9223372036854775808, NULL",
      "'it''s \n \\n', 700000000.25, -0.5, x'FF112233445566778899AABBCCDDEEFF', 0, -2.5, "
        + "9007199254740993, NULL",
      "'\u{301}' || char(0) || replace(hex(zeroblob(1048576)), '0', 'x'), 0, 3, "
        + "x'00112233445566778899AABBCCDDEEFF', 1, 0, 0, NULL",
    ])
  func again(name: String, values: String) throws {
    #expect(try found("{ \(name) = o.\(name) }", values) == "1")
  }

  @Test(
    "a Decimal beyond 2^53 finds its own number, and no neighbor of it",
    arguments: [("9007199254740992", "0"), ("9007199254740993", "1")])
  func exact(stored: String, count: String) throws {
    let values = "'s', 0, \(stored), NULL, 0, 0, 0, NULL"
    #expect(try found("{ m = '9007199254740993.0' }", values) == count)
  }

  @Test(
    "what cannot be compared is reported without the value",
    arguments: [
      (
        "{ d = 'secret' }",
        "cannot compare Item.d: it is a Date and was given a string; write date.parse(x)"
      ),
      ("{ x = 'secret' }", "cannot compare Item.x: its values can only be compared with nil"),
      ("{ s = nil }", "the condition's table is empty: what is nil leaves no trace in it"),
      ("{ next = o }", "Item.next is a relationship; a condition's table compares attributes"),
      ("{ dd = 1 }", "Item has no attribute 'dd'; did you mean 'd'?"),
    ])
  func refused(table: String, message: String) throws {
    let failure = #expect(throws: ScriptFailure.self) {
      try found(table, "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL")
    }
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("secret") == false)
  }
}
