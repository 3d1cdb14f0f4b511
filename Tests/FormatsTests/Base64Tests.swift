import Formats
import Testing

@Suite("Base64")
struct Base64Tests {
  // RFC 4648, 10.
  static let table = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]

  @Test("the standard's examples", arguments: table)
  func examples(plain: String, text: String) throws {
    #expect(Base64.encode(Array(plain.utf8)) == text)
    #expect(try Base64.decode(text) == Array(plain.utf8))
  }

  @Test("every byte survives")
  func all() throws {
    for count in 250...256 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(try Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(
    "what is not strict is refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg==\n", " Zg=", "Zh==", "Zm9=", "Z===", "====", "Z=g=", "Zm9-", "é8==",
    ])
  func refused(text: String) {
    #expect(throws: FormatError.self) { try Base64.decode(text) }
  }

  @Test(
    "the first character that is wrong is named by its place, whatever the length",
    arguments: [
      ("Zm9-", 4), ("Z-9-", 2), ("Zg==\n", 3), (" Zg=", 1), ("Zm9vé8==", 5), ("Zh==", 2),
      ("Zm9vZm9=", 7),
    ])
  func place(text: String, place: Int) {
    let error = #expect(throws: FormatError.self) { try Base64.decode(text) }
    #expect(error?.place == .character(place))
    #expect(error?.description.hasPrefix("base64 text, character \(place): ") == true)
  }
}
