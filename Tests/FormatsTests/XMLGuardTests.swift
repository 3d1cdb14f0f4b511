import Formats
import Testing

@Suite("What XML may not bring along")
struct XMLGuardTests {
  private static func problem(_ text: String) -> String? {
    #expect(throws: FormatError.self) { try XMLTree(Array(text.utf8)) }?.problem
  }

  @Test("entities that unfold without end are refused")
  func laughs() {
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE lolz [
        <!ENTITY lol "lol"> <!ENTITY lol1 "&lol;&lol;&lol;&lol;"> <!ENTITY lol2 "&lol1;&lol1;">
      ]>
      <lolz>&lol2;</lolz>
      """
    #expect(Self.problem(text) == "refused: definitions of its own")
  }

  @Test(
    "files are not named",
    arguments: ["<!ENTITY x SYSTEM 'file:///etc/passwd'>", "<!ELEMENT a ANY>"])
  func definitions(text: String) {
    #expect(Self.problem("\(text)<a>&x;</a>") == "refused: a definition out of place")
    #expect(Self.problem("<a>\(text)</a>") == "refused: a definition out of place")
    #expect(Self.problem("<a/><!DOCTYPE a>") == "refused: a definition out of place")
  }

  @Test("a plain document type is passed over, and defines nothing")
  func documentType() throws {
    let type = "<!DOCTYPE plist PUBLIC \"-//x//>[\"\n 'http://localhost/none.dtd'>"
    let root = try XMLTree(Array("\(type)\n<plist/>".utf8)).root
    #expect(root.name == "plist" && root.line == 3)
    #expect(Self.problem("\(type)<plist>&x;</plist>") == "an entity that is not defined")
  }

  @Test(
    "only XML 1.0 in UTF-8 is read",
    arguments: ["encoding='UTF-7'", "encoding=\"utf-16\"", "encoding=''", "encoding='UTF-8' x=''"])
  func encodings(text: String) {
    let problem = Self.problem("<?xml version='1.0' \(text)?><a/>")
    #expect(problem == "refused: not said to be XML 1.0 in UTF-8")
  }

  @Test("a byte order mark and US-ASCII are allowed, other bytes are not")
  func bytes() throws {
    let text = "\u{feff}<?xml version=\"1.0\" encoding=\"us-ascii\" ?><a/>"
    #expect(try XMLTree(Array(text.utf8)).root.name == "a")
    #expect(throws: FormatError(.xml, "not UTF-8")) { try XMLTree(Array("<a>\u{0}</a>".utf8)) }
    #expect(throws: FormatError(.xml, "not UTF-8")) { try XMLTree(Array("<a>".utf8) + [0xff]) }
    let wide: [UInt8] = "<a/>".utf16.flatMap { [UInt8($0), 0] }
    #expect(throws: FormatError(.xml, "not UTF-8")) { try XMLTree(wide) }
  }

  @Test("a tag of a million attributes is refused without being compared")
  func attributes() {
    let many = (0..<1_000_000).map { "a\($0)=''" }.joined(separator: " ")
    #expect(Self.problem("<a \(many)/>") == "refused: a tag of too many attributes")
    #expect(throws: Never.self) {
      try XMLTree(Array("<a b='\(many.prefix(5000).filter { $0 != "'" })'/>".utf8))
    }
  }

  @Test(
    "processing instructions are refused wherever they seem to be",
    arguments: [
      "<a/><?a?>", "<a><?b c?></a>", "<a><!-- <?b?> --></a>", " <?xml version='1.0'?><a/>",
    ])
  func instructions(text: String) {
    #expect(Self.problem(text) == "refused: a processing instruction")
  }

  @Test("a tag of more than a mebibyte is refused before its errors are counted")
  func longTag() {
    let text = "<a b='\(String(repeating: "&x;", count: 400_000))'/>"
    #expect(Self.problem(text) == "refused: a tag of more than 1048576 bytes")
    #expect(throws: Never.self) {
      try XMLTree(Array("<a>\(String(repeating: "'text", count: 400_000))</a>".utf8))
    }
  }
}
