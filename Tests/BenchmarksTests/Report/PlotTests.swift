import Formats
import Foundation
import TestSupport
import Testing

@testable import Benchmarks

@Suite("The plot") struct PlotTests {
  private let plot = Plot(Sample.findings, remark: "W1 100 rows & more")

  @Test("is well-formed and shows everybody who was measured")
  func contents() throws {
    let root = try XMLTree(Array(plot.text.utf8)).root
    let texts = root.children("text").map(\.text)
    for name in [Names.insertSelect, Names.staged, Names.complete, "0.50", "2.00"] {
      #expect(texts.contains(name))
    }
    #expect(!texts.contains(Names.dryRun))
    #expect(texts.contains("W1 100 rows & more"))
  }

  @Test("who is faster stands further left, and growth goes from left to right")
  func places() throws {
    let dots = try XMLTree(Array(plot.text.utf8)).root.children("circle")
    let places = dots.compactMap { $0.attributes["cx"].flatMap(Double.init) }
    // Baseline, staged, complete; then three sizes of time and three of memory.
    #expect(places.count == 9)
    #expect(places[1] < places[0] && places[0] < places[2])
    #expect(places[3] < places[4] && places[4] < places[5])
  }

  @Test("is written where it is wanted", .temporaryFolder)
  func file() throws {
    let path = TemporaryFolder.url.appending(path: "a/b/bench.svg").path
    try plot.write(to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == plot.text)
  }
}
