import Formats
import Testing

@Suite("Archives as plain values")
struct KeyedArchiveReadableTests {
  @Test("Foundation's classes become plain values, others tables with their class")
  func classes() throws {
    let root = try RawArchive([
      .dictionary([
        "$class": .uid(2), "id": .uid(3), "none": .uid(0), "count": .integer(2), "list": .uid(5),
      ]),
      RawArchive.classNamed("App.Thing", below: "NSObject"),
      .dictionary(["$class": .uid(4), "NS.uuidbytes": .data(Array(0..<16))]),
      RawArchive.classNamed("NSUUID"),
      .dictionary(["$class": .uid(6), "NS.objects": .array([.uid(7), .uid(7)])]),
      RawArchive.classNamed("NSSet"), .string("x"),
    ]).archive().root
    let expected = PropertyList.dictionary([
      "$class": .string("App.Thing"), "id": .string("00010203-0405-0607-0809-0A0B0C0D0E0F"),
      "none": .null, "count": .integer(2), "list": .array([.string("x"), .string("x")]),
    ])
    #expect(try root.readable() == expected)
  }

  @Test("an object used twice is written out twice, one that contains itself is refused")
  func cycles() throws {
    let array = RawArchive.classNamed("NSArray")
    let twice = try RawArchive([
      .dictionary(["$class": .uid(2), "NS.objects": .array([.uid(3), .uid(3)])]), array,
      .dictionary(["$class": .uid(2), "NS.objects": .array([])]),
    ]).archive()
    #expect(try twice.readable() == .array([.array([]), .array([])]))
    let cycle = try RawArchive.object("NSArray", ["NS.objects": .array([.uid(1)])])
    let error = #expect(throws: FormatError.self) { try cycle.readable() }
    #expect(error?.problem == "an object contains itself; it has no plain form")
  }

  @Test("a small archive that unfolds into 2^40 values is refused")
  func bomb() throws {
    let arrays = (0..<40 as Range<UInt64>).map { level in
      PropertyList.dictionary([
        "$class": .uid(42), "NS.objects": .array([.uid(level + 2), .uid(level + 2)]),
      ])
    }
    let archive = try RawArchive(arrays + [.bool(true), RawArchive.classNamed("NSArray")]).archive()
    let error = #expect(throws: FormatError.self) { try archive.readable() }
    #expect(error?.problem == "unfolds into too many values")
  }

  @Test("keys that are numbers are written as text, keys that are objects refused")
  func keys() throws {
    func root(_ key: PropertyList) throws -> KeyedArchive.Object {
      try RawArchive.object(
        "NSDictionary", ["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(3)])], key)
    }
    #expect(try root(.integer(7)).readable() == .dictionary(["7": .integer(7)]))
    #expect(throws: FormatError.self) { try root(.data([1])).readable() }
  }
}
