import Formats
import Testing

@testable import CoreDataStore

@Suite("Elements of a model's XML")
struct SourceElementTests {
  private static func element(_ xml: String) throws -> XMLTree.Element {
    try XMLTree(Array(xml.utf8)).root
  }

  @Test("an empty attribute is as good as none") func filled() throws {
    let element = try Self.element(#"<a x="" y="1" z="YES"/>"#)
    #expect(element.filled("x") == nil && element.filled("y") == "1")
    #expect(element.isYes("z") && !element.isYes("y") && !element.isYes("w"))
    #expect(try element.integer("y") == 1 && element.integer("x") == nil)
  }

  @Test("what is missing or no number is named, with line and element") func mistakes() throws {
    let element = try Self.element("\n<a name=\"n\" x=\"one\"/>")
    let missing = #expect(throws: Failure.self) { try element.needed("y") }
    #expect(missing?.subject == "line 2, <a name=\"n\">" && missing?.why == "<a> has no y.")
    let number = #expect(throws: Failure.self) { try element.integer("x") }
    #expect(number?.why == "x=\"one\" is not a whole number.")
  }

  @Test("an identifier that is the name itself is none", arguments: [("n", nil), ("old", "old")])
  func renaming(written: String, identifier: String?) throws {
    let element = try Self.element("<a name=\"n\" elementID=\"\(written)\"/>")
    #expect(element.renamingIdentifier == identifier)
  }

  @Test("of entries with one key the last counts, and one without a key does not") func userInfo()
    throws
  {
    let entries = #"<entry key="k" value="1"/><entry key="k" value="2"/><entry value="3"/>"#
    #expect(try Self.element("<a><userInfo>\(entries)</userInfo></a>").userInfo == ["k": "2"])
  }
}
