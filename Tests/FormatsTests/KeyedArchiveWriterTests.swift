import Formats
import Foundation
import Testing

@Suite("Writing keyed archives")
struct KeyedArchiveWriterTests {
  @Test(
    "what was written is read again",
    arguments: [
      .null, .bool(true), .integer(-1), .real(0.1), .date(0.25), .data([1]), .string("é"),
      .array([]), .array([.string("a"), .string("a"), .null, .array([.date(1), .date(2)])]),
      .dictionary([:]), .dictionary(["a": .dictionary(["b": .array([.integer(1)])])]),
    ] as [PropertyList])
  func roundTrip(value: PropertyList) throws {
    #expect(try KeyedArchive(KeyedArchiveWriter.write(value)).readable() == value)
  }

  @Test("objects are numbered as NSKeyedArchiver numbers them: the class after what it holds")
  func order() throws {
    let bytes = try KeyedArchiveWriter.write(.array([.string("a"), .date(1)]))
    let list = try PropertyList(reading: bytes)
    #expect(list["$archiver"] == .string("NSKeyedArchiver"))
    #expect(list["$version"] == .integer(100_000))
    #expect(list["$top"] == .dictionary(["root": .uid(1)]))
    #expect(
      list["$objects"]
        == .array([
          .string("$null"),
          .dictionary(["$class": .uid(5), "NS.objects": .array([.uid(2), .uid(3)])]), .string("a"),
          .dictionary(["$class": .uid(4), "NS.time": .real(1)]),
          RawArchive.classNamed("NSDate", below: "NSObject"),
          RawArchive.classNamed("NSArray", below: "NSObject"),
        ]))
  }

  @Test("Foundation's own reader understands it")
  func foundation() throws {
    let value = PropertyList.dictionary([
      "list": .array([.integer(1), .real(2.5), .string("x")]), "when": .date(5),
      "bytes": .data([1, 2]),
    ])
    let data = Data(try KeyedArchiveWriter.write(value))
    let classes = [
      NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
    ]
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    let table = try #require(read as? [String: Any])
    #expect(table["list"] as? NSArray == [1, 2.5, "x"])
    #expect(table["when"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
    #expect(table["bytes"] as? Data == Data([1, 2]))
  }

  @Test("what Foundation archives is read")
  func fromFoundation() throws {
    let id = NSUUID()
    let value: NSDictionary = [
      "list": [1, 2.5, "x"] as NSArray, "none": NSNull(), "id": id,
      "when": NSDate(timeIntervalSinceReferenceDate: 5), "set": NSSet(object: "one"),
    ]
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
    let expected = PropertyList.dictionary([
      "list": .array([.integer(1), .real(2.5), .string("x")]), "none": .null,
      "id": .string(id.uuidString), "when": .date(5), "set": .array([.string("one")]),
    ])
    #expect(try KeyedArchive(Array(data)).readable() == expected)
  }

  @Test("a UID is no value, and a nesting too deep for readers is refused")
  func refused() {
    #expect(throws: FormatError.self) { try KeyedArchiveWriter.write(.uid(1)) }
    let deep = (0..<64).reduce(PropertyList.null) { value, _ in .array([value]) }
    #expect(throws: FormatError.self) { try KeyedArchiveWriter.write(deep) }
  }

  @Test(
    "the text that readers take for nil is refused, as a value and as a key",
    arguments: [
      .string("$null"), .array([.string("$null")]), .dictionary(["$null": .integer(1)]),
    ] as [PropertyList])
  func null(value: PropertyList) {
    let error = #expect(throws: FormatError.self) { try KeyedArchiveWriter.write(value) }
    #expect(error?.problem == "the text \"$null\" means nil there, so it cannot be kept")
  }
}
