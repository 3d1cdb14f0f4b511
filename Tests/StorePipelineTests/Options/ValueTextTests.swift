import CoreDataStore
import Foundation
import StoreMigration
import Testing

@testable import StorePipeline

@Suite("Values as Lua writes them")
struct ValueTextTests {
  @Test(
    "each kind of value",
    arguments: [
      (.null, "nil"), (.integer(-3), "-3"), (.boolean(true), "true"), (.real(0.5), "0.5"),
      (.real(2), "2"), (.real(.nan), "nan"), (.date(86400), "86400"),
      (.decimal("1.50"), "\"1.50\""),
      (.string("a\"b"), "\"a\\\"b\""), (.binary([0x4d, 0, 0xff]), "\"M\\x00\\xff\""),
      (.binary([]), "\"\""),
    ] as [(AttributeValue, String)])
  func values(value: AttributeValue, text: String) {
    #expect(ValueText.of(value) == text)
  }

  @Test("long ones are cut, and say how long they are")
  func long() {
    let text = ValueText.of(.string(String(repeating: "ä", count: 700)))
    #expect(text.hasPrefix("\"ää") && text.hasSuffix("... (1,400 bytes)"))
    #expect(ValueText.of(.binary(Array(repeating: 65, count: 2000))).hasSuffix("... (2,000 bytes)"))
  }

  @Test("where relationships lead")
  func links() {
    let ids = (1...8).map { ObjectID(entity: "Tag", key: $0) }
    let link = { (ids: [ObjectID], isToMany: Bool) in
      ValueText.of(ObjectRecord.Link(name: "a", isToMany: isToMany, objects: ids))
    }
    #expect(link([], false) == "nil")
    #expect(link([], true) == "{}")
    #expect(link([ids[0]], false) == "Tag 1")
    #expect(link(Array(ids[..<2]), true) == "{ Tag 1, Tag 2 }")
    #expect(link(ids, true).hasSuffix("Tag 6 and 2 more }"))
  }
}
