import Formats
import Testing

@Suite("Writing binary property lists")
struct BinaryPropertyListWriterTests {
  @Test(
    "what was written is read again",
    arguments: [
      .null, .bool(true), .integer(0), .integer(255), .integer(256), .integer(65536),
      .integer(1 << 32), .integer(-1), .integer(.min), .integer(.max), .unsigned(1 << 63),
      .unsigned(.max), .real(0.1), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude),
      .date(-1.5), .data([]), .data(Array(0...255)), .string(""), .string("fifteen letters"),
      .string("日本\u{1f600}\u{0}"), .uid(0), .uid(70_000), .uid(.max), .array([]),
      .dictionary([:]), .dictionary(["": .array([.dictionary(["k": .null])])]),
    ] as [PropertyList])
  func roundTrip(value: PropertyList) throws {
    #expect(try PropertyList(reading: BinaryPropertyListWriter.write(value)) == value)
  }

  @Test("thousands of values are read again, with wide references")
  func large() throws {
    let value = PropertyList.array((0..<70_000).map { .integer($0) })
    #expect(try PropertyList(reading: BinaryPropertyListWriter.write(value)) == value)
  }

  @Test("the bits of a real survive")
  func bits() throws {
    let number = Double(bitPattern: 0x7ff8_0000_0000_1234)
    let read = try PropertyList(reading: BinaryPropertyListWriter.write(.real(number)))
    #expect(read.real?.bitPattern == number.bitPattern)
  }

  @Test("equal scalars are written once, unequal ones never as one")
  func uniquing() throws {
    let text = PropertyList.string("the same text")
    let same = try BinaryPropertyList(BinaryPropertyListWriter.write(.array([text, text, text])))
    #expect(same.count == 2)
    let values: [PropertyList] = [
      .integer(1), .real(1), .bool(true), .date(1), .uid(1), .string("1"), .data([49]), .real(0),
      .real(-0.0), .string("e\u{301}"), .string("\u{e9}"),
    ]
    let list = try BinaryPropertyList(BinaryPropertyListWriter.write(.array(values)))
    #expect(list.count == values.count + 1)
  }

  @Test("the bytes are those of CoreFoundation and plistlib: keys, then values")
  func bytes() throws {
    let value = PropertyList.dictionary(["b": .integer(1), "a": .array([.bool(true)])])
    let expected: [UInt8] =
      Array("bplist00".utf8) + [0xd2, 1, 2, 3, 5, 0x51, 0x61, 0x51, 0x62, 0xa1, 4, 9, 0x10, 1]
      + [8, 13, 15, 17, 19, 20, 0, 0, 0, 0, 0, 0, 1, 1]
      + RawPropertyList.number(6, 8) + RawPropertyList.number(0, 8) + RawPropertyList.number(22, 8)
    #expect(try BinaryPropertyListWriter.write(value) == expected)
  }

  @Test("a value too deep for readers is not written")
  func deep() {
    let value = (0..<64).reduce(PropertyList.null) { value, _ in .array([value]) }
    #expect(throws: FormatError.self) { try BinaryPropertyListWriter.write(value) }
    guard case .array(let inner) = value else { return }
    #expect(throws: Never.self) { try BinaryPropertyListWriter.write(inner[0]) }
  }
}
