import CoreDataStore
import Testing

@Suite("Nearest name")
struct NearestNameTests {
  @Test(
    "the name that was meant is found",
    arguments: [
      ("jsn", "json"), ("rnu", "run"), ("ITEM", "Item"), ("attribut", "attribute"),
      ("itme", "Item"),
      ("x", nil), ("", nil), ("jersey", nil), ("attributesofmany", nil),
    ])
  func found(word: String, name: String?) {
    #expect(NearestName.of(word, among: ["json", "run", "Item", "attribute", "work"]) == name)
  }

  @Test(
    "the first version of a model is meant by its number",
    arguments: [
      ("Notes 1", "Notes"), ("notes1", "Notes"), ("Notes 11", "Notes 2"), ("Nots", "Notes"),
      ("1", nil),
    ])
  func version(word: String, name: String?) {
    #expect(NearestName.version(word, among: ["Notes", "Notes 2"]) == name)
  }

  @Test("of several the nearest is taken, and of equals the first") func nearest() {
    #expect(NearestName.of("tables", among: ["cables", "table", "tablets"]) == "cables")
    #expect(NearestName.of("tables", among: ["fabled", "tables "]) == "tables ")
  }

  @Test(
    "slips are counted",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 1),
      ("abc", "abc", 0), ("abcd", "acbd", 1),
    ])
  func distance(a: String, b: String, slips: Int) {
    #expect(NearestName.distance(Array(a), Array(b)) == slips)
  }

  @Test("a suggestion is ready to be put behind a message") func suggestion() {
    #expect(NearestName.suggestion(for: "rum", among: ["run"]) == "; did you mean run?")
    #expect(NearestName.suggestion(for: "walk", among: ["run"]) == "")
  }
}
