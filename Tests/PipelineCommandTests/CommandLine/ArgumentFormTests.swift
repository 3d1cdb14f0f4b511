import Testing

@testable import pipeline

@Suite("Argument form")
struct ArgumentFormTests {
  private static let forms = EveryKind.arguments.map(\.form) + PairDiff.arguments.map(\.form)

  @Test("each form has its synopsis, as help lists it") func synopses() {
    #expect(
      Self.forms.map(\.synopsis) == [
        "SOURCE...", "TARGET", "-o, --output PATH", "-b, --batch ROWS", "    --set NAME=VALUE",
        "-f, --form FORM", "-n, --dry-run", "-a, --all", "A", "[B]",
      ])
  }

  @Test("messages name an argument by its place or by its long name") func spellings() {
    #expect(
      Self.forms.map(\.spelling) == [
        "SOURCE", "TARGET", "--output", "--batch", "--set", "--form", "--dry-run", "--all", "A",
        "B",
      ])
  }

  @Test("the explanation adds the choices, and that an option may be given again")
  func explanations() throws {
    let texts = Dictionary(uniqueKeysWithValues: Self.forms.map { ($0.name, $0.explanation) })
    #expect(texts["form"] == "How to report. One of text, html, json.")
    #expect(texts["set"] == "Set a parameter. May be given again.")
    #expect(texts["source"] == "What to read.")
  }

  @Test("only an option takes a value, and only what repeats may be given again") func kinds() {
    #expect(Self.forms.filter(\.takesValue).map(\.name) == ["output", "batch", "set", "form"])
    #expect(Self.forms.filter(\.repeats).map(\.name) == ["source", "set"])
    #expect(Self.forms.filter(\.isPositional).map(\.name) == ["source", "target", "a", "b"])
    #expect(Self.forms.compactMap(\.short) == ["o", "b", "f", "n", "a"])
  }
}
