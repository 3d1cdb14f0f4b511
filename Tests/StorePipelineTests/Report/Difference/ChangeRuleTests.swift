import CoreDataStore
import StoreMigration
import Testing

@testable import StorePipeline

@Suite("What was done to a value")
struct ChangeRuleTests {
  @Test(
    "what happened to a text is described in words",
    arguments: [
      ("  a b ", "a b", "trimmed"), ("Abc", "ABC", "in upper case"),
      ("Abc", "abc", "in lower case"),
      ("abC", "Abc", "with other capitals"), ("a  b", "a b", "with other white space"),
      ("abc", "ab", "cut short"), ("abc", "", "made an empty text"),
      ("caf\u{E9}", "cafe\u{301}", "normalised (the same characters, made up otherwise)"),
      ("a", "b", nil),
    ])
  func texts(old: String, new: String, words: String?) {
    #expect(ChangeRule.words(.value(.string(old)), .value(.string(new))) == words)
  }

  @Test(
    "another type with the same content is reported as such",
    arguments: [
      (AttributeValue.string("7"), AttributeValue.integer(7)), (.boolean(true), .string("1")),
      (.decimal("1.5"), .string("1.5")),
    ])
  func types(old: AttributeValue, new: AttributeValue) {
    #expect(
      ChangeRule.words(.value(old), .value(new)) == "kept its digits, as another type")
  }

  @Test(
    "what has no rule has no words",
    arguments: [
      (AttributeValue.integer(7), AttributeValue.integer(8)), (.string("7"), .integer(8)),
      (.real(1), .string("1")), (.string("a"), .null),
    ])
  func none(old: AttributeValue, new: AttributeValue) {
    #expect(ChangeRule.words(.value(old), .value(new)) == nil)
  }

  @Test("data, and data whose file is missing")
  func data() {
    let data = DifferenceSample.picture()
    #expect(ChangeRule.words(data, data) == "replaced by other data")
    #expect(ChangeRule.words(data, .lost(name: "a")) == "lost its file")
    #expect(ChangeRule.words(.lost(name: "a"), data) == "found its file again")
    #expect(ChangeRule.words(data, .value(.integer(1))) == "no longer data")
    #expect(ChangeRule.words(.value(.integer(1)), data) == "now data")
  }
}
