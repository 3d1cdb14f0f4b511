import Foundation
import StorePipeline
import Testing

@testable import pipeline

@Suite("Progress reporter")
struct ProgressReporterTests {
  static let run: [ProgressEvent] =
    [.at(0, .runStarted), .at(0, .stageStarted)]
    + (1...250).map { .at(Double($0) / 10, .progress, rows: $0 * 10) }
    + [.at(25, .stageFinished, rows: 2500), .at(25, .runFinished)]

  @Test("a log has a line every ten seconds") func log() {
    let said = report(Self.run)
    #expect(
      said == """
        copy Item  10% 1,000/10,000 rows  ETA 1:30  100 rows/s
        copy Item  20% 2,000/10,000 rows  ETA 1:20  100 rows/s

        """)
  }

  @Test("a terminal has one line, redrawn and then gone") func terminal() {
    let said = report(Self.run, isTerminal: true)
    #expect(!said.contains("\n"))
    #expect(said.components(separatedBy: "\r\u{1B}[K").count > 100)
    #expect(said.hasSuffix("\r\u{1B}[K"))
  }

  @Test("events that come thick are drawn ten times a second") func thick() {
    let events = (0..<1000).map { ProgressEvent.at(Double($0) / 1000, .progress, rows: $0) }
    #expect(report(events, isTerminal: true).components(separatedBy: "\r\u{1B}[K").count <= 12)
  }

  @Test("quiet leaves progress out and warnings in") func quiet() {
    let warning = ProgressEvent.at(1, .warning, message: "one blob is missing")
    let said = report(Self.run + [warning], isQuiet: true)
    #expect(said == "pipeline: warning: one blob is missing\n")
  }

  @Test("several stores are distinguished") func stores() {
    let said = report([
      .at(0, .stageStarted, store: "x/A.sqlite"), .at(0, .stageStarted, store: "x/B.sqlite"),
      .at(11, .progress, rows: 11, store: "x/B.sqlite"),
    ])
    #expect(said.hasPrefix("B.sqlite copy Item  0% 11/10,000 rows"))
  }

  @Test("where several are to come, the first one is named as well") func several() {
    let recorder = Recorder()
    let reporter = ProgressReporter(console: console(recorder))
    reporter.expectSeveralStores()
    reporter.report(.at(1, .warning, store: "x/A.sqlite", message: "one blob is missing"))
    reporter.report(.at(1, .stageStarted, store: "x/A.sqlite"))
    reporter.report(.at(12, .progress, rows: 11, store: "x/A.sqlite"))
    #expect(
      recorder.text.hasPrefix(
        "pipeline: warning: x/A.sqlite: one blob is missing\nA.sqlite copy Item  0%"))
  }

  private func console(_ recorder: Recorder, isTerminal: Bool = false) -> Console {
    Console(
      output: recorder.stream(), errors: recorder.stream(isTerminal: isTerminal, columns: 80),
      environment: ["NO_COLOR": "1"])
  }

  private func report(
    _ events: [ProgressEvent], isTerminal: Bool = false, isQuiet: Bool = false
  ) -> String {
    let recorder = Recorder()
    var console = console(recorder, isTerminal: isTerminal)
    console.isQuiet = isQuiet
    let reporter = ProgressReporter(console: console)
    for event in events { reporter.report(event) }
    return recorder.text
  }
}
