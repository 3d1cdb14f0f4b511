import Formats
import Testing

@Suite("Reading binary property lists")
struct BinaryPropertyListReaderTests {
  private static let sample = PropertyList.dictionary([
    "a": .array([.integer(1), .real(0.1), .string("é"), .data([0, 255]), .uid(3), .null]),
    "b": .dictionary(["c": .date(1), "d": .bool(false), "e": .unsigned(.max)]),
  ])

  @Test(
    "a scalar means what CoreFoundation says",
    arguments: [
      ([0x00], .null), ([0x08], .bool(false)), ([0x09], .bool(true)),
      ([0x10, 0xff], .integer(255)), ([0x11, 0xff, 0xff], .integer(65535)),
      ([0x12, 0xff, 0xff, 0xff, 0xff], .integer(4_294_967_295)),
      ([0x13] + [UInt8](repeating: 0xff, count: 8), .integer(-1)),
      (
        [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xff, count: 8),
        .unsigned(.max)
      ),
      ([0x14] + [UInt8](repeating: 0xff, count: 16), .integer(-1)),
      ([0x22, 0x3f, 0x80, 0, 0], .real(1)), ([0x23, 0x80, 0, 0, 0, 0, 0, 0, 0], .real(-0.0)),
      ([0x33, 0x40, 0, 0, 0, 0, 0, 0, 0], .date(2)), ([0x42, 1, 2], .data([1, 2])),
      ([0x52, 0x68, 0x69], .string("hi")), ([0x61, 0x00, 0xe9], .string("é")),
      ([0x61, 0xd8, 0x00], .string("\u{fffd}")),
      ([0x62, 0xdc, 0, 0xd8, 0], .string("\u{fffd}\u{fffd}")),
      ([0x81, 1, 0], .uid(256)),
    ] as [([UInt8], PropertyList)])
  func scalars(bytes: [UInt8], value: PropertyList) throws {
    #expect(try PropertyList(reading: RawPropertyList([bytes]).bytes) == value)
  }

  @Test(
    "an object that cannot be is refused",
    arguments: [
      [0x01], [0x15] + [UInt8](repeating: 0, count: 32), [0x21, 0, 0], [0x32, 0, 0, 0, 0],
      [0x5f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x5f, 0x20], [0x51, 0x80],
      [0x6f, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], [0x70], [0xa1, 0, 1], [0xd1, 0, 0], [0x45, 0],
      [0xaf, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xff], [0x8f] + Array(0..<16),
      [0x14] + [UInt8](repeating: 1, count: 16),
    ] as [[UInt8]])
  func impossible(bytes: [UInt8]) {
    #expect(throws: FormatError.self) { try BinaryPropertyList(RawPropertyList([bytes]).bytes) }
  }

  @Test("objects are read one at a time, by number")
  func lazy() throws {
    let raw = RawPropertyList([
      RawPropertyList.dictionary([1, 2], [3, 0]), RawPropertyList.ascii("k"),
      RawPropertyList.ascii("self"),
      RawPropertyList.array([1, 3]),
    ])
    let list = try BinaryPropertyList(raw.bytes)
    #expect(list.node(list.top) == .dictionary(keys: [1, 2], values: [3, 0]))
    #expect(list.node(3) == .array([1, 3]))
    #expect(list.value(of: "self", in: 0) == 0)
    #expect(list.value(of: "k", in: 0) == 3)
    #expect(list.value(of: "nobody", in: 0) == nil && list.value(of: "k", in: 3) == nil)
    #expect(list.node(99) == .scalar(.null) && list.node(-1) == .scalar(.null))
  }

  @Test("a list that contains itself is an error, not an endless one")
  func cycle() {
    let raw = RawPropertyList([RawPropertyList.array([1]), RawPropertyList.array([0, 0])])
    #expect(throws: FormatError.self) { try PropertyList(reading: raw.bytes) }
  }

  @Test("a small list that unfolds into 2^60 values is refused")
  func bomb() throws {
    let levels = 60
    let arrays = (0..<levels).map { RawPropertyList.array([$0 + 1, $0 + 1]) }
    let bytes = RawPropertyList(arrays + [[0x09]]).bytes
    let error = #expect(throws: FormatError.self) { try PropertyList(reading: bytes) }
    #expect(error?.problem == "unfolds into too many values")
  }

  @Test("a large string used many times is refused before it fills the memory")
  func heavyBomb() {
    let text: [UInt8] = [0x4f, 0x12] + RawPropertyList.number(1 << 20, 4)
    let raw = RawPropertyList([
      RawPropertyList.array([Int](repeating: 1, count: 60_000)),
      text + [UInt8](repeating: 65, count: 1 << 20),
    ])
    let error = #expect(throws: FormatError.self) { try PropertyList(reading: raw.bytes) }
    #expect(error?.problem == "unfolds into too many bytes")
  }

  @Test("a nesting of 60,000 levels is refused")
  func deep() {
    let arrays = (0..<60_000).map { RawPropertyList.array([$0 + 1]) }
    #expect(throws: FormatError.self) {
      try PropertyList(reading: RawPropertyList(arrays + [[0x08]]).bytes)
    }
  }

  @Test("objects that share bytes are refused")
  func overlap() {
    let large = RawPropertyList.array([Int](repeating: 0, count: 1000))
    let raw = RawPropertyList([large], offsets: [Int](repeating: 8, count: 1000))
    let error = #expect(throws: FormatError.self) { try BinaryPropertyList(raw.bytes) }
    #expect(error?.problem == "objects overlap")
  }

  @Test("the same key twice, and a key that is no string, are refused")
  func keys() {
    let twice = RawPropertyList([
      RawPropertyList.dictionary([1, 2], [1, 1]), RawPropertyList.ascii("k"),
      RawPropertyList.ascii("k"),
    ])
    #expect(throws: FormatError.self) { try PropertyList(reading: twice.bytes) }
    let number = RawPropertyList([RawPropertyList.dictionary([1], [1]), [0x09]])
    #expect(throws: FormatError.self) { try PropertyList(reading: number.bytes) }
  }

  @Test("a list larger than the limit is refused")
  func size() throws {
    let bytes = try BinaryPropertyListWriter.write(.data([UInt8](repeating: 0, count: 1000)))
    let limits = FormatLimits(bytes: 1000, nodes: 10, depth: 10)
    #expect(throws: FormatError.self) { try BinaryPropertyList(bytes, limits: limits) }
  }

  @Test("every truncation is an error, and every bit turned an error or a value")
  func damage() throws {
    let sample = try BinaryPropertyListWriter.write(Self.sample)
    let outcomes = damaged(sample).map { try? PropertyList(reading: $0) }
    #expect(outcomes.prefix(sample.count).allSatisfy { $0 == nil })
    #expect(outcomes.contains { $0 != nil && $0 != Self.sample })
  }

  @Test("a reference too large for a machine's word is refused")
  func wideReference() {
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xa1] + [UInt8](repeating: 0xff, count: 8) + [8]
      + [0, 0, 0, 0, 0, 0, 1, 8]
      + RawPropertyList.number(1, 8) + RawPropertyList.number(0, 8) + RawPropertyList.number(17, 8)
    let error = #expect(throws: FormatError.self) { try BinaryPropertyList(bytes) }
    #expect(error?.problem == "a reference to an object that is not there")
  }

  @Test("looking for a key among very many that are one long string takes no time")
  func longKeys() throws {
    let text =
      [0x6f, 0x12] + RawPropertyList.number(1 << 20, 4) + [UInt8](repeating: 65, count: 2 << 20)
    let keys = [Int](repeating: 1, count: 60_000)
    let list = try BinaryPropertyList(
      RawPropertyList([RawPropertyList.dictionary(keys, keys), text]).bytes)
    #expect(list.value(of: "nobody", in: 0) == nil)
  }
}
