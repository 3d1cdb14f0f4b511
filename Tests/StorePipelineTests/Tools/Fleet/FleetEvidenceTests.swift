import CoreDataStore
import Formats
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("What files say of runs", .temporaryFolder)
struct FleetEvidenceTests {
  private typealias Sample = FleetPictureTests

  @Test("an event behind a line that was cut short counts, and the cut line is reported")
  func cut() async throws {
    let begun = Sample.event("run-started", 10, "/x/a.sqlite", run: "one")
    let over = Sample.event(
      "run-finished", 12, "/x/a.sqlite", run: "one", rest: #","status":3,"outcome":"failed""#)
    for kind in ["progress", "stage-started"] {
      let cut = String(Sample.event(kind, 11, "/x/a.sqlite", run: "one").prefix(60))
      let file = try Sample.events([begun, #"{"event":"login"}"#, cut + over], as: kind)
      let picture = try await Sample.look([file])
      #expect(picture.members.map { $0.last?.status } == [3])
      #expect(picture.unread == ["\(file): 1 line of events cut short."])
    }
  }

  @Test("a log that says nothing is listed where another one speaks, and refused alone")
  func silent() async throws {
    let empty = try Sample.events(["a line of another program"], as: "empty")
    let speaks = try Sample.events([Sample.event("run-started", 10, "/x/a.sqlite")], as: "speaks")
    let picture = try await Sample.look([empty, speaks])
    #expect(picture.members.map(\.store) == ["/x/a.sqlite"])
    #expect(picture.unread == ["\(empty): It has no event of a run."])
    let error = await #expect(throws: Failure.self) { try await Sample.look([empty, empty]) }
    #expect(error?.kind == .misuse && error?.subject == empty)
  }

  @Test("a file of events that is not there is a mistake of the command, and so is a pipe")
  func mistakes() async throws {
    let pipe = TemporaryFolder.url.appending(path: "pipe").path
    try #require(NamedPipe.make(pipe))
    for (path, why) in [("/none/a.events", "There is no"), (pipe, "It is not a regular file.")] {
      let error = await #expect(throws: Failure.self) { try await Sample.look([path]) }
      #expect(error?.kind == .misuse)
      #expect(error?.why.hasPrefix(why) == true, "\(path)")
    }
  }

  @Test("a document that names a store from another folder is of the store that is there")
  func relative() async throws {
    var summary = RunSummarySample.everything()
    summary.store = "a.sqlite"
    let here = FileManager.default.currentDirectoryPath
    let path = try #require(
      try JSONValue(reading: Array(JSONRunSummary(summary).text.utf8))["path"]?.string)
    #expect(path == "\(here)/a.sqlite")
    let text = JSONRunSummary(summary).text.replacing(path, with: "/x/far/a.sqlite")
    let file = TemporaryFolder.url.appending(path: "summary.json")
    try Data(text.utf8).write(to: file)
    #expect(try await Sample.look([file.path]).members.map(\.store) == ["/x/far/a.sqlite"])
  }

  @Test("of two machines' documents, the stores of one path are shown with their machines")
  func machines() async throws {
    let ends = [("anna", 3, "failed"), ("ben", 0, "swapped")]
    let documents = try ends.map { host, status, word in
      let store = """
        {"store": "a.sqlite", "path": "/x/a.sqlite", "status": \(status), "outcome": "\(word)",
        "run": null, "host": "\(host)", "inode": 7, "shared": false}
        """
      return try Sample.events(["{", #""stores": [\#(store)]}"#], as: "\(host).json")
    }
    let picture = try await Sample.look(documents)
    #expect(picture.members.map(\.shown) == ["anna:/x/a.sqlite", "ben:/x/a.sqlite"])
    #expect(picture.members.map { $0.last?.status } == [3, 0] && picture.status == 1)
  }

  @Test("a store whose name has braces is one like others")
  func braces() async throws {
    let lines = ["run-started", "progress"].map { Sample.event($0, 10, "/x/{a}.sqlite") }
    let picture = try await Sample.look([try Sample.events(lines, as: "events")])
    #expect(picture.members.map(\.store) == ["/x/{a}.sqlite"] && picture.unread.isEmpty)
  }
}
