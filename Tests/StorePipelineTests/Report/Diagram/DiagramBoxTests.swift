import CoreDataStore
import Testing

@testable import StorePipeline

@Suite("Diagram box")
struct DiagramBoxTests {
  private static let box = DiagramBox(
    name: "A", change: .same, words: "", subtitle: "",
    rows: [
      .init(name: "first", type: "String"),
      .init(type: "2 unchanged", standsFor: ["second", "third"]),
    ])

  @Test("a box is as high as its title, its rows and, where there is one, its subtitle")
  func height() {
    var titled = Self.box
    titled.subtitle = "abstract"
    #expect(
      Self.box.height == DiagramMeasure.title + 2 * DiagramMeasure.row + DiagramMeasure.foot)
    #expect(titled.height == Self.box.height + DiagramMeasure.subtitle)
  }

  @Test(
    "a line meets the middle of its property's row, and the title where there is none",
    arguments: [
      ("first", DiagramMeasure.title + DiagramMeasure.row / 2),
      ("third", DiagramMeasure.title + DiagramMeasure.row * 3 / 2),
      ("strange", DiagramMeasure.title / 2), (nil, DiagramMeasure.title / 2),
    ])
  func anchor(property: String?, height: Int) { #expect(Self.box.anchor(of: property) == height) }
}
