import Formats
import Testing

@Suite("XML as a tree")
struct XMLTreeTests {
  private static func read(_ text: String) throws -> XMLTree.Element {
    try XMLTree(Array(text.utf8)).root
  }

  @Test("elements, attributes, text and lines are kept")
  func tree() throws {
    let root = try Self.read(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model name="A &amp; B" type='x>y'>
        <entity name="é"/> one
        <!-- <entity/> -->
        <other>&lt;&#x41;<![CDATA[<b>]]>&#10;</other>
        <entity/>
      </model>
      """)
    #expect(root.name == "model" && root.line == 2)
    #expect(root["name"] == "A & B" && root["type"] == "x>y" && root["none"] == nil)
    #expect(root.children.map(\.name) == ["entity", "other", "entity"])
    #expect(root.children.map(\.line) == [3, 5, 6])
    #expect(root.children("entity").count == 2)
    #expect(root.children("entity")[0]["name"] == "é")
    #expect(root.children("other").first?.text == "<A<b>\n")
    #expect(root.text.contains("one"))
  }

  @Test(
    "what is not a whole document is refused",
    arguments: [
      "", " ", "x", "<", "<a", "<a>", "<a><b>", "<a><b></a>", "<a></b>", "<a/><b/>", "<a/>x",
      "<a b='1' b='2'/>", "<a b=1/>", "<a>&foo;</a>", "<a>\u{1}</a>", "<a><![CDATA[</a>",
      "<!-- only -->", "<?xml version=\"1.0\"?>", "</a>", "<a>&#xd800;</a>", "<a b='<'/>",
    ])
  func refused(text: String) {
    #expect(throws: FormatError.self) { try Self.read(text) }
  }

  @Test("an error says the line")
  func line() {
    let expected = FormatError(.xml, "an element closed under another's name", at: .line(3))
    #expect(throws: expected) { try Self.read("<a>\n<b>\n</c>\n</a>") }
  }

  @Test(
    "what is cut short is named in words",
    arguments: ["<a b", "<a b=", "<a b='x", "<a>", "<a><!--", "<a><![CDATA[x"])
  func cutShort(text: String) {
    let error = #expect(throws: FormatError.self) { try Self.read(text) }
    #expect(error?.problem.contains("not well formed") == false)
    #expect(error?.place == .line(1))
  }

  @Test("a nesting of 100,000 levels is refused, one of 64 is not")
  func deep() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
    }
    #expect(throws: Never.self) { try Self.read(nested(64)) }
    let error = #expect(throws: FormatError.self) { try Self.read(nested(100_000)) }
    #expect(error?.problem.hasPrefix("nested deeper than 64") == true)
    #expect(throws: FormatError.self) { try Self.read(String(repeating: "<a>", count: 100_000)) }
  }

  @Test("more elements, or more bytes, than the limits are refused")
  func limits() {
    let bytes = Array("<a><b/><b/><b/></a>".utf8)
    let few = FormatLimits(bytes: 100, nodes: 3, depth: 9)
    #expect(throws: FormatError.self) { try XMLTree(bytes, limits: few) }
    let attributes = Array("<a b='1' c='2'><d/></a>".utf8)
    #expect(throws: FormatError.self) { try XMLTree(attributes, limits: few) }
    #expect(throws: Never.self) {
      try XMLTree(attributes, limits: FormatLimits(bytes: 100, nodes: 4, depth: 9))
    }
    let short = FormatLimits(bytes: 18, nodes: 9, depth: 9)
    #expect(throws: FormatError.self) { try XMLTree(bytes, limits: short) }
  }

  @Test("every truncation is an error, and every bit turned an error or a value")
  func damage() throws {
    let text = "<?xml version='1.0'?><m a='1'><!--x--><e b=\"&lt;\">t&#65;<![CDATA[c]]></e></m>"
    let sample = Array(text.utf8)
    let tree = try XMLTree(sample)
    let outcomes = damaged(sample).map { try? XMLTree($0) }
    #expect(outcomes.prefix(sample.count).allSatisfy { $0 == nil })
    #expect(outcomes.contains { $0 != nil && $0 != tree })
  }
}
