import Formats
import Testing

@Suite("Foundation's classes in archives")
struct KeyedArchiveValuesTests {
  private static func plain(_ value: PropertyList) throws -> KeyedArchive.Object {
    try RawArchive([value]).archive().root
  }

  @Test("plain values")
  func plainValues() throws {
    #expect(try Self.plain(.string("s")).string == "s")
    #expect(try Self.plain(.integer(3)).integer == 3)
    #expect(try Self.plain(.integer(3)).real == 3)
    #expect(try Self.plain(.integer(2)).bool == true)
    #expect(try Self.plain(.bool(true)).integer == 1)
    #expect(try Self.plain(.bool(false)).bool == false)
    #expect(try Self.plain(.real(0.5)).real == 0.5)
    #expect(try Self.plain(.real(0.5)).integer == nil)
    #expect(try Self.plain(.unsigned(.max)).number == .unsigned(.max))
    #expect(try Self.plain(.data([1])).data == [1])
    #expect(try Self.plain(.date(4)).date == 4)
    #expect(try Self.plain(.string("1")).integer == nil)
  }

  @Test("strings and data that are objects")
  func objects() throws {
    let text = try RawArchive.object(
      "NSMutableString", below: "NSString", ["NS.string": .uid(3)], .string("t"))
    #expect(text.string == "t" && text.data == nil)
    #expect(try RawArchive.object("NSString", ["NS.bytes": .data([0x68, 0x69])]).string == "hi")
    #expect(try RawArchive.object("NSString", ["NS.bytes": .data([0xff])]).string == nil)
    let data = try RawArchive.object("NSMutableData", below: "NSData", ["NS.data": .data([7])])
    #expect(data.data == [7] && data.string == nil)
    #expect(try RawArchive.object("Other", ["NS.string": .string("x")]).string == nil)
  }

  @Test("dates, UUIDs, URLs, numbers and null")
  func others() throws {
    #expect(try RawArchive.object("NSDate", ["NS.time": .real(1.5)]).date == 1.5)
    let bytes = [UInt8](repeating: 9, count: 16)
    #expect(try RawArchive.object("NSUUID", ["NS.uuidbytes": .data(bytes)]).uuid == bytes)
    #expect(try RawArchive.object("NSUUID", ["NS.uuidbytes": .data([9])]).uuid == nil)
    let url = try RawArchive.object(
      "NSURL", ["NS.base": .uid(0), "NS.relative": .uid(3)], .string("a:b"))
    #expect(url.url == "a:b" && url.string == nil)
    let relative = try RawArchive.object(
      "NSURL", ["NS.base": .uid(1), "NS.relative": .string("b")])
    #expect(relative.url == nil)
    #expect(try RawArchive.object("NSNumber", ["NS.intval": .integer(4)]).integer == 4)
    #expect(try RawArchive.object("NSNumber", ["NS.dblval": .real(4)]).real == 4)
    #expect(try RawArchive.object("NSNull", [:]).isNull)
  }

  @Test(
    "decimal numbers keep their digits",
    arguments: [
      ([1, 0], 1, 0, false, 1, "1"), ([0xd2, 0x04], 1, -2, true, 1, "-12.34"),
      ([0x04, 0xd2], 1, -2, false, 2, "12.34"), ([5, 0], 1, 3, false, 1, "5000"),
      ([5, 0], 1, -3, false, 1, "0.005"), ([], 0, 0, false, 1, "0"), ([], 0, 0, true, 1, "NaN"),
      (
        [UInt8](repeating: 0xff, count: 16), 8, -1, false, 1,
        "34028236692093846346337460743176821145.5"
      ),
    ] as [([UInt8], Int64, Int64, Bool, Int64, String)])
  func decimals(
    mantissa: [UInt8], length: Int64, exponent: Int64, negative: Bool, order: Int64, text: String
  ) throws {
    let bytes = mantissa + [UInt8](repeating: 0, count: 16 - mantissa.count)
    let number = try RawArchive.object(
      "NSDecimalNumber", below: "NSNumber",
      [
        "NS.mantissa": .data(bytes), "NS.length": .integer(length),
        "NS.exponent": .integer(exponent),
        "NS.negative": .bool(negative), "NS.mantissa.bo": .integer(order),
      ])
    #expect(number.decimal == text && number.number == nil)
  }

  @Test("a decimal number that cannot be is none")
  func impossibleDecimal() throws {
    let fields: [String: PropertyList] = [
      "NS.mantissa": .data([1]), "NS.length": .integer(99), "NS.exponent": .integer(999),
    ]
    #expect(try RawArchive.object("NSDecimalNumber", fields).decimal == nil)
  }

  @Test("arrays and sets, listed or numbered", arguments: ["NSArray", "NSSet", "NSOrderedSet"])
  func elements(name: String) throws {
    let listed = try RawArchive.object(
      name, ["NS.objects": .array([.uid(3), .uid(0)])], .string("x"))
    #expect(listed.elements?.map(\.string) == ["x", nil])
    #expect(listed.elements?.last?.isNull == true)
    let numbered = try RawArchive.object(
      name, ["NS.object.0": .uid(3), "NS.object.1": .uid(4)], .string("x"), .string("y"))
    #expect(numbered.elements?.map(\.string) == ["x", "y"])
    #expect(listed.entries == nil)
    #expect(try Self.plain(.array([.integer(1)])).elements?.count == 1)
  }

  @Test("dictionaries")
  func dictionaries() throws {
    let entries = try RawArchive.object(
      "NSMutableDictionary", below: "NSDictionary",
      ["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(4)])], .string("k"), .integer(5))
    #expect(entries.dictionary?["k"]?.integer == 5 && entries.elements == nil)
    let uneven = try RawArchive.object(
      "NSDictionary", ["NS.keys": .array([.uid(1)]), "NS.objects": .array([])])
    #expect(uneven.entries == nil)
    let odd = try RawArchive.object(
      "NSDictionary", ["NS.keys": .array([.uid(1)]), "NS.objects": .array([.uid(1)])])
    #expect(odd.entries?.count == 1 && odd.dictionary == nil)
  }

  @Test("dictionaries of known keys leave their empty slots out")
  func knownKeys() throws {
    let root = try RawArchive([
      .dictionary(["$class": .uid(2), "searchMapping": .uid(3), "values": .uid(6)]),
      RawArchive.classNamed("NSKnownKeysDictionary1", below: "NSMutableDictionary", "NSDictionary"),
      .dictionary(["$class": .uid(4), "keys": .uid(5)]),
      RawArchive.classNamed("NSKnownKeysMappingStrategy1"),
      .dictionary(["$class": .uid(7), "NS.objects": .array([.uid(8), .uid(9)])]),
      .dictionary(["$class": .uid(7), "NS.objects": .array([.uid(10), .uid(11)])]),
      RawArchive.classNamed("NSArray"), .string("full"), .string("empty"), .integer(1),
      .string("__empty_slot_token_4c24_98dc_ac1e_b773__"),
    ]).archive().root
    #expect(root.dictionary?.mapValues(\.integer) == ["full": 1])
  }
}
