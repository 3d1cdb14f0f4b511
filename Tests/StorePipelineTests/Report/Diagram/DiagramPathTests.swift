import CoreDataStore
import Testing

@testable import StorePipeline

@Suite("Diagram path")
struct DiagramPathTests {
  private func path(from: (Int, Int), to: (Int, Int), _ mark: DiagramLine.Mark) -> DiagramPath {
    let line = DiagramLine(
      from: .init(box: 0, mark: .none), to: .init(box: 1, mark: mark), change: .same, words: "")
    return DiagramPath(
      line, from: .init(x: from.0, y: from.1), to: .init(x: to.0, y: to.1), (10, 20))
  }

  @Test("a line runs from the near side of one box to that of the other") func sides() {
    let width = DiagramMeasure.boxWidth
    let right = path(from: (0, 0), to: (500, 100), .one)
    #expect(right.course.hasPrefix("M\(width) 10H") && right.course.hasSuffix("H500"))
    let left = path(from: (500, 0), to: (0, 100), .one)
    #expect(left.course.hasPrefix("M500 10H") && left.course.hasSuffix("H\(width)"))
  }

  @Test("in one column it leaves and comes back on the right") func column() {
    let width = DiagramMeasure.boxWidth
    let path = path(from: (0, 0), to: (0, 300), .many)
    #expect(path.course.hasPrefix("M\(width) 10H") && path.course.hasSuffix("H\(width)"))
    #expect(path.marks.hasPrefix("M\(width) 314L\(width + 12) 320"))
  }

  @Test("a line of one row to itself makes a loop") func loop() {
    let line = DiagramLine(
      from: .init(box: 0, mark: .many), to: .init(box: 0, mark: .many), change: .same, words: "")
    let path = DiagramPath(line, from: .init(x: 0, y: 0), to: .init(x: 0, y: 0), (10, 10))
    #expect(path.course.contains(" 10H") && path.course.contains(" \(10 + DiagramMeasure.row)H"))
  }
}
