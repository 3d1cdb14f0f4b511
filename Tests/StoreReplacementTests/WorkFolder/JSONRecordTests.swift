import Formats
@testable import StoreReplacement
import Testing

@testable import CoreDataStore

@Suite("Files with a check sum") struct JSONRecordTests {
  private let members: [JSONValue.Member] = [
    .init("format", .integer(1)), .init("name", .string("ä")), .init("none", .null),
    .init("list", .array([.string("a"), .string("b")])),
  ]

  @Test("what was sealed is read") func read() throws {
    let record = try JSONRecord(sealed: JSONRecord.seal(members))
    #expect(try record.integer("format") == 1)
    #expect(try record.string("name") == "ä")
    #expect(try record.strings("list") == ["a", "b"])
    #expect(try record.optional("none") { try $0.string("x") } == nil)
    #expect(throws: JSONRecord.Unusable.self) { try record.string("format") }
    #expect(throws: JSONRecord.Unusable.self) { try record.string("other") }
  }

  @Test("what was changed, cut off or has no check sum is not", arguments: 0..<5)
  func changed(way: Int) throws {
    var sealed = try #require(JSONRecord.seal(members).members)
    switch way {
    case 0: sealed[1] = .init("name", .string("a"))
    case 1: sealed.remove(at: 2)
    case 2: sealed.swapAt(0, 1)
    case 3: sealed.removeLast()
    default: sealed.append(.init("more", .null))
    }
    #expect(throws: JSONRecord.Unusable.self) { try JSONRecord(sealed: .object(sealed)) }
  }

  @Test("what is no object is none", arguments: [JSONValue.null, .array([]), .string("x")])
  func other(value: JSONValue) {
    #expect(throws: JSONRecord.Unusable.self) { try JSONRecord(value) }
  }
}
