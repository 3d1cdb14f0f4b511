import Formats
import Testing

@Suite("Sizes as people read them") struct ByteSizeTests {
  @Test("a size has a digit behind the point at most, and the unit of its power of a thousand")
  func texts() {
    let texts = [0, 999, 1000, 1250, 34_000_000].map(ByteSize.text)
    #expect(texts == ["0 B", "999 B", "1 kB", "1.3 kB", "34 MB"])
  }

  @Test("two sizes that would look the same are given in bytes")
  func compared() {
    #expect(ByteSize.texts(34_000_000, 12_000_000) == ("34 MB", "12 MB"))
    #expect(ByteSize.texts(34_004_096, 34_000_000) == ("34004096 bytes", "34000000 bytes"))
  }
}
