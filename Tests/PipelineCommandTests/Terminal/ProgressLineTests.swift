import Foundation
import StorePipeline
import Testing

@testable import pipeline

extension ProgressEvent {
  /// An event some seconds after the start.
  static func at(
    _ seconds: Double, _ kind: Kind, entity: String? = "Item", rows: Int = 0, total: Int? = 10_000,
    bytes: Int = 0, store: String = "a/Notes.sqlite", message: String? = nil
  ) -> ProgressEvent {
    ProgressEvent(
      kind, time: Date(timeIntervalSinceReferenceDate: seconds), run: "r1", store: store,
      stage: "copy", entity: entity, rows: rows, total: total, bytes: bytes, message: message)
  }
}

@Suite("Progress line")
struct ProgressLineTests {
  static let half: ProgressState = {
    var state = ProgressState()
    state.take(.at(0, .stageStarted))
    state.take(.at(5, .progress, rows: 5000, bytes: 1_500_000))
    return state
  }()

  static func drawn(_ state: ProgressState, _ width: Int, at seconds: Double = 5) -> String {
    ProgressLine(state: state, now: Date(timeIntervalSinceReferenceDate: seconds))
      .drawn(width: width)
  }

  @Test(
    "what there is room for is shown, most important first",
    arguments: [
      (
        120,
        "copy Item  [==============              ]  50% 5,000/10,000 rows  ETA 0:05  "
          + "1,000 rows/s  1.5 MB"
      ),
      (80, "copy Item  [=====      ]  50% 5,000/10,000 rows  ETA 0:05  1,000 rows/s  1.5 MB"),
      (70, "copy Item  50% 5,000/10,000 rows  ETA 0:05  1,000 rows/s  1.5 MB"),
      (60, "copy Item  50% 5,000/10,000 rows  ETA 0:05  1,000 rows/s"),
      (40, "copy Item  50% 5,000/10,000 rows"),
      (20, "copy Item"),
      (5, "copy"),
      (0, ""),
    ])
  func widths(width: Int, line: String) {
    #expect(Self.drawn(Self.half, width) == line)
    #expect(line.count < max(1, width))
  }

  /// A run that is at 42 % of all its stages.
  static func run(entity: String = "Item", rows: Int = 5000, total: Int? = 10_000) -> ProgressState
  {
    var state = ProgressState()
    for (seconds, kind, done) in [(0.0, ProgressEvent.Kind.stageStarted, 0), (5, .progress, rows)] {
      var event = ProgressEvent.at(
        seconds, kind, entity: entity, rows: done, total: total, bytes: done * 300)
      (event.fraction, event.remaining) = (0.42, 12)
      state.take(event)
    }
    return state
  }

  @Test(
    "of a run the bar is that of all stages, at the beginning of the line",
    arguments: [
      (
        130,
        "[===========                 ]   42%  ETA 0:12  copy Item  5,000/10,000 rows  1,000 rows/s"
          + "  1.5 MB"
      ),
      (80, "[=======          ]   42%  ETA 0:12  copy Item  5,000/10,000 rows  1,000 rows/s"),
      (60, "[=====       ]   42%  ETA 0:12  copy Item"),
      (42, "[===     ]   42%  ETA 0:12  copy Item"),
      (41, "[===     ]   42%  ETA 0:12  copy Item"),
      (40, " 42%  ETA 0:12  copy Item"),
      (30, " 42%  ETA 0:12  copy Item"),
      (22, " 42%  ETA 0:12"),
    ])
  func runs(width: Int, line: String) {
    #expect(Self.drawn(Self.run(), width) == line)
    #expect(line.count < width)
  }

  @Test("whatever an entity is called, the line of a run is one line", arguments: 0...130)
  func long(width: Int) {
    let state = Self.run(entity: String(repeating: "Long", count: 30), rows: 123_456_789)
    let line = Self.drawn(state, width)
    #expect(line.count < max(1, width))
    #expect(width < 80 || line.contains("[====") && line.contains("42%  ETA 0:12"))
  }

  @Test("whatever a run says next to it, the bar keeps its place and grows") func grows() {
    var (state, last) = (ProgressState(), -1)
    for percent in 0...100 {
      var event = ProgressEvent.at(
        Double(percent), .progress, entity: percent % 3 == 0 ? nil : "Item",
        rows: percent * percent * 1000, total: percent % 5 == 0 ? nil : 10_000_000,
        bytes: percent % 2 * 1_000_000)
      event.fraction = Double(percent) / 100
      event.remaining = percent > 9 ? 100 - Double(percent) : nil
      state.take(event)
      let line = Self.drawn(state, 80, at: Double(percent))
      let bar = line.prefix { $0 != "]" }
      #expect(bar.hasPrefix("[") && bar.count == 18 && line.count < 80)
      let done = bar.count { $0 == "=" }
      #expect(done >= last)
      last = done
    }
    #expect(last == 17)
  }

  @Test("entities and steps are not called rows") func parts() {
    var state = ProgressState()
    for done in 0...4 {
      var event = ProgressEvent.at(Double(done), .progress, entity: "indexes", rows: done, total: 7)
      (event.fraction, event.countsParts) = (0.5, true)
      state.take(event)
    }
    #expect(Self.drawn(state, 100, at: 5).hasSuffix("  50%  copy indexes"))
  }

  @Test("nothing is said of the end before a run says something of it, nor in its last two seconds")
  func ends() {
    var state = ProgressState()
    var event = ProgressEvent.at(1, .stageStarted, total: nil)
    event.fraction = 0.09
    state.take(event)
    #expect(Self.drawn(state, 80) == "[=                ]    9%  copy Item")
    (event.fraction, event.remaining) = (0.1, 90)
    state.take(event)
    #expect(Self.drawn(state, 80, at: 1).contains("10%  ETA 1:30  copy"))
    #expect(Self.drawn(state, 80, at: 89).contains("10%  ETA 0:02  copy"))
    #expect(Self.drawn(state, 80, at: 89.5).contains("  10%  copy"))
    (event.fraction, event.remaining) = (0.95, nil)
    state.take(event)
    #expect(Self.drawn(state, 80, at: 1).contains("  95%  copy"))
  }

  @Test("time that passes shortens what remains") func time() {
    #expect(Self.drawn(Self.half, 60, at: 8).contains("ETA 0:02"))
    #expect(Self.drawn(Self.half, 60, at: 30).contains("ETA 0:00"))
  }

  @Test("without a total there is no bar and no end in sight") func endless() {
    var state = ProgressState()
    state.take(.at(0, .stageStarted, total: nil))
    state.take(.at(2, .progress, rows: 500, total: nil))
    #expect(Self.drawn(state, 100, at: 2) == "copy Item  500 rows  250 rows/s")
  }

  @Test("no total of rows makes nonsense", arguments: [(0, 0), (10, 0), (20, 10), (-5, 10)])
  func oddTotals(rows: Int, total: Int) {
    var state = ProgressState()
    state.take(.at(0, .stageStarted, total: total))
    state.take(.at(1, .progress, rows: rows, total: total))
    #expect(Self.drawn(state, 80).count < 80)
  }

  @Test("a name from a store cannot drive the terminal") func names() {
    var state = ProgressState()
    state.take(.at(0, .stageStarted, entity: "It\u{1B}[2Jem\n"))
    #expect(Self.drawn(state, 100).hasPrefix("copy It\\u{1B}[2Jem\\n  "))
  }
}
