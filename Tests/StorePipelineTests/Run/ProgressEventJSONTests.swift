import Foundation
import StorePipeline
import Testing

@Suite("Progress event as JSON")
struct ProgressEventJSONTests {
  static let time = Date(timeIntervalSince1970: 1_800_000_000.25)

  @Test("all keys are there, in order, and unknown ones are null") func keys() {
    let event = ProgressEvent(
      .progress, time: Self.time, run: "r", store: "a \"b\".sqlite", rows: 7)
    #expect(
      event.json == #"""
        {"event":"progress","time":"2027-01-15T08:00:00.250Z","run":"r","store":"a \"b\".sqlite",\#
        "stage":null,"entity":null,"rows":7,"total":null,"bytes":0,"fraction":null,"remaining":null}
        """#)
  }

  @Test("a message and a status come with what has one") func extras() {
    let event = ProgressEvent(
      .runFinished, time: Self.time, run: "r", store: "s", stage: "swap", entity: "E", rows: 1,
      total: 2, bytes: 3, message: "m\n", status: 0)
    #expect(event.json.contains(#""stage":"swap","entity":"E","rows":1,"total":2,"bytes":3,"#))
    #expect(event.json.hasSuffix(#","message":"m\n","status":0}"#))
  }

  @Test(
    "the first and the last event of a run say where the store is",
    arguments: [
      (ProgressEvent.Kind.runStarted, true), (.progress, false), (.runFinished, true),
    ])
  func place(kind: ProgressEvent.Kind, said: Bool) {
    let event = ProgressEvent(kind, time: Self.time, run: "r", store: "folder/../s")
    let path = FileManager.default.currentDirectoryPath + "/s"
    #expect(event.json.contains(#","path":"\#(path)","host":""#) == said)
    #expect(!event.json.contains("inode"))
    let folder = FileManager.default.currentDirectoryPath
    let there = ProgressEvent(kind, time: Self.time, run: "r", store: folder)
    #expect(there.json.contains(#","inode":"#) == said)
  }

  @Test("how far the run is has four digits, and the seconds that remain have one")
  func fraction() {
    var event = ProgressEvent(.progress, time: Self.time, run: "r", store: "s")
    (event.fraction, event.remaining) = (1.0 / 3, 61.26)
    #expect(event.json.hasSuffix(#""bytes":0,"fraction":0.3333,"remaining":61.3}"#))
  }

  @Test("the names of events are those programs rely on") func names() {
    let names = ProgressEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    #expect(
      names == """
        run-started, stage-started, progress, warning, rejected, output, stage-finished, swapped, \
        run-finished
        """)
  }
}
