import Formats
import Testing

@Suite("Hexadecimal text")
struct HexTests {
  @Test("every byte survives, in both cases")
  func all() throws {
    let bytes = Array(UInt8.min...UInt8.max)
    #expect(try Hex.decode(Hex.encode(bytes)) == bytes)
    #expect(try Hex.decode(Hex.encode(bytes).uppercased()) == bytes)
    #expect(Hex.encode([0, 0x0f, 0xa0]) == "000fa0")
  }

  @Test("anything else is refused", arguments: ["0", "0g", "0x", " 0", "00 1", "é"])
  func refused(text: String) {
    #expect(throws: FormatError.self) { try Hex.decode(text) }
  }

  @Test(
    "the first character that is no digit is named by its place, whatever the length",
    arguments: [("0g", 2), ("00 1", 3), ("xx", 1), ("000é", 4), ("0x000", 2)])
  func place(text: String, place: Int) {
    let error = #expect(throws: FormatError.self) { try Hex.decode(text) }
    #expect(error?.description == "hexadecimal text, character \(place): not a digit")
  }
}
