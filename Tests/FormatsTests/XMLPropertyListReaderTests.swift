import Formats
import Testing

@Suite("XML property lists")
struct XMLPropertyListReaderTests {
  private static func read(_ body: String) throws -> PropertyList {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">\(body)</plist>
      """
    return try PropertyList(reading: Array(text.utf8))
  }

  @Test(
    "a value is read",
    arguments: [
      ("<true/>", .bool(true)), ("<false/>", .bool(false)), ("<string/>", .string("")),
      ("<string> a &lt; b </string>", .string(" a < b ")),
      ("<integer> -5 </integer>", .integer(-5)),
      ("<integer>0xFF</integer>", .integer(255)),
      ("<integer>18446744073709551615</integer>", .unsigned(.max)),
      ("<integer>-9223372036854775808</integer>", .integer(.min)),
      ("<real>1e3</real>", .real(1000)),
      ("<real>-infinity</real>", .real(-.infinity)), ("<data>\n AQ\n\tI= </data>", .data([1, 2])),
      ("<date>2001-01-01T00:00:00Z</date>", .date(0)),
      ("<date>2024-02-29T12:30:05Z</date>", .date(730_902_605)),
      ("<date>1970-01-01T00:00:00Z</date>", .date(-978_307_200)), ("<array/>", .array([])),
      ("<dict/>", .dictionary([:])),
      (
        " <array> <dict> <key>k</key> <true/> </dict> </array> ",
        .array([.dictionary(["k": .bool(true)])])
      ),
    ] as [(String, PropertyList)])
  func values(body: String, value: PropertyList) throws {
    #expect(try Self.read(body) == value)
  }

  @Test(
    "what is not a property list is refused",
    arguments: [
      "", "text", "<true/><true/>", "<odd/>", "<integer/>", "<integer>1.5</integer>",
      "<integer>18446744073709551616</integer>", "<integer>0x-5</integer>", "<real>x</real>",
      "<date>2024-02-29</date>", "<date>2024-13-01T00:00:00Z</date>", "<data>A</data>",
      "<dict><key>a</key></dict>", "<dict><true/><true/></dict>", "<dict>x</dict>",
      "<dict><key>a</key><true/><key>a</key><true/></dict>", "<string><b/></string>",
      "<array>x<true/></array>", "<true><true/></true>", "<dict><key>a<b/></key><true/></dict>",
    ])
  func refused(body: String) {
    #expect(throws: FormatError.self) { try Self.read(body) }
  }

  @Test("another root is refused, and the error says the line")
  func root() {
    let expected = FormatError(.xmlPropertyList, "<a>: the root is not <plist>", at: .line(2))
    #expect(throws: expected) { try PropertyList(reading: Array("\n<a/>".utf8)) }
  }
}
