import Formats
import Testing

@testable import CoreDataStore

@Suite("XML that is written")
struct XMLTextTests {
  @Test("elements are indented as Xcode does, and empty ones close themselves") func text() {
    var root = XMLText("a")
    root.add("x", "1")
    root.add("y", nil)
    root.add("z", if: true)
    root.add("w", if: false)
    root.add("b", "name", "n")
    root.add(XMLText("c"))
    #expect(
      root.text() == """
        <a x="1" z="YES">
            <b name="n"/>
            <c/>
        </a>

        """)
  }

  @Test("any text is read back as it was", arguments: ["<&>\"'", "a\nb\tc\r", " x ", "é😀", ""])
  func escaped(text: String) throws {
    var element = XMLText("a")
    element.add("x", text)
    #expect(try XMLTree(Array(element.text().utf8)).root["x"] == text)
  }
}
