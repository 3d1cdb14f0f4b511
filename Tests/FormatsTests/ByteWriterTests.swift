import Formats
import Testing

@Suite("Writing bytes")
struct ByteWriterTests {
  @Test(
    "small numbers take a byte, and the largest ten",
    arguments: [
      (UInt64(0), 1), (127, 1), (128, 2), (UInt64.max, 10),
    ])
  func sizes(number: UInt64, count: Int) {
    var writer = ByteWriter()
    writer.add(number)
    #expect(writer.bytes.count == count)
  }

  @Test("numbers near zero are short on both sides of it") func signs() {
    for number: Int64 in [-64, 63] {
      var writer = ByteWriter()
      writer.add(number)
      #expect(writer.bytes.count == 1)
    }
  }
}
