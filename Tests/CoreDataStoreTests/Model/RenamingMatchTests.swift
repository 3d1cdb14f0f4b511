import CoreDataStore
import Testing

@Suite("Which name became which")
struct RenamingMatchTests {
  private typealias Tag = RenamingMatch.Tag

  private func sources(
    _ source: [(String, String?)], _ target: [(String, String?)]
  ) -> [String: String] {
    RenamingMatch(
      source: source.map { Tag(name: $0.0, identifier: $0.1) },
      target: target.map { Tag(name: $0.0, identifier: $0.1) }
    ).sources
  }

  @Test("equal names, identifiers, and identifiers kept over several versions")
  func kinds() {
    #expect(sources([("A", nil)], [("A", nil)]) == ["A": "A"])
    #expect(sources([("A", nil)], [("B", "A")]) == ["B": "A"])
    #expect(sources([("B", "A")], [("B", "A")]) == ["B": "B"])
    #expect(sources([("B", "A")], [("C", "A")]) == ["C": "B"])
    #expect(sources([("B", "A")], [("A", nil)]) == ["A": "B"])
    #expect(sources([("A", nil)], [("B", nil)]) == [:])
  }

  @Test("two names that were exchanged")
  func exchanged() {
    #expect(sources([("A", nil), ("B", nil)], [("A", "B"), ("B", "A")]) == ["A": "B", "B": "A"])
  }

  @Test("names that were exchanged a version ago are not exchanged again")
  func exchangedBefore() {
    let tags = [("A", "B"), ("B", "A")] as [(String, String?)]
    #expect(sources(tags, tags) == ["A": "A", "B": "B"])
  }

  @Test("an identifier takes precedence over a new thing of the old name")
  func reused() {
    #expect(sources([("A", nil)], [("A", nil), ("B", "A")]) == ["B": "A"])
  }
}
