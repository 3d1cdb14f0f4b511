import Formats
import Testing

@Suite("Reading bytes")
struct ByteReaderTests {
  @Test("what was written is read, in its order")
  func everything() throws {
    var writer = ByteWriter()
    writer.add(UInt64.max)
    writer.add(Int64.min)
    writer.add(Int.max)
    writer.add(true)
    writer.add(-0.0)
    writer.add("Größe \u{0} \u{1F600}")
    writer.add([1, 2, 3]) { $0.add($1) }
    writer.add(String?.none) { $0.add($1) }
    writer.add(Optional("a")) { $0.add($1) }
    var reader = ByteReader(writer.bytes[...])
    #expect(try reader.unsigned() == .max)
    #expect(try reader.integer() == .min)
    #expect(try reader.count() == .max)
    #expect(try reader.truth())
    #expect(try reader.real().bitPattern == (-0.0).bitPattern)
    #expect(try reader.text() == "Größe \u{0} \u{1F600}")
    let list = try reader.list { (reader) throws(ByteReader.Damage) in try reader.count() }
    #expect(list == [1, 2, 3])
    let none = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.text() }
    let some = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.text() }
    #expect(none == nil && some == "a")
    #expect(reader.rest.isEmpty)
  }

  @Test(
    "bytes that end too early, or promise too much, are an error",
    arguments: [
      [], [0x80], [5, 97], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
      Array(repeating: 0x80, count: 12),
    ] as [[UInt8]])
  func damaged(bytes: [UInt8]) {
    #expect(throws: ByteReader.Damage.self) {
      var reader = ByteReader(bytes[...])
      _ = try reader.text()
    }
  }
}
