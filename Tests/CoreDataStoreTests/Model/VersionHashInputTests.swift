import Testing

@testable import CoreDataStore

@Suite("What goes into a version hash")
struct VersionHashInputTests {
  @Test("text is UTF-8, integers are little-endian, and nothing is between them") func bytes() {
    var input = VersionHashInput()
    input.add("é")
    input.add(optional: nil)
    input.add(optional: "a")
    input.add(UInt16(0x0102))
    input.add(Int32(-2))
    input.add(byte: 9)
    #expect(input.bytes == [0xC3, 0xA9, 0x61, 2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 9])
    #expect(input.hash == VersionHash(of: input.bytes))
  }

  @Test("a hash goes in with its 32 bytes") func hash() {
    var input = VersionHashInput()
    input.add(VersionHash(of: []))
    #expect(input.bytes == VersionHash(of: []).bytes)
  }
}
