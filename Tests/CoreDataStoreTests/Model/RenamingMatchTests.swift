import CoreDataStore
import StoreTestSupport
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

  @Test("what is transient takes nothing away from what is stored")
  func transient() {
    let source = [
      Tag(name: "A", identifier: nil), Tag(name: "T", identifier: "A", isTransient: true),
    ]
    let match = RenamingMatch(source: source, target: [Tag(name: "A", identifier: nil)])
    #expect(match.sources == ["A": "A"] && match.ambiguousSources.isEmpty)
  }

  @Test("an attribute and a relationship may not have one identifier")
  func kindsTogether() throws {
    let model = try ModelText.model(
      """
      <entity name="A"><attribute name="x" attributeType="String" elementID="y"/>
      <relationship name="y" optional="YES" maxCount="1" destinationEntity="A"/></entity>
      """)
    let properties = model.entities.flatMap {
      $0.attributes as [any Property] + $0.relationships
    }
    let match = RenamingMatch(source: properties, target: properties)
    #expect(match.ambiguousSources == ["x", "y"])
    #expect(match.sources == ["x": "x", "y": "y"])
    let equal = RenamingMatch(source: properties, target: properties, areEqual: true)
    #expect(equal.ambiguousSources.isEmpty)
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
