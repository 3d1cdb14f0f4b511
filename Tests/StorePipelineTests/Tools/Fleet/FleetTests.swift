import CoreDataStore
import Foundation
import StorePipeline
import Synchronization
import TestSupport
import Testing

@Suite("Many stores", .temporaryFolder)
struct FleetTests {
  private let sample: RunSample
  private let names = ["a.sqlite", "b.sqlite", "c.sqlite", "d.sqlite"]

  init() throws {
    sample = try RunSample()
    for name in names {
      try FileManager.default.copyItem(atPath: sample.store, toPath: sample.path(name))
    }
  }

  @Test("each store is migrated, whatever their number at a time", arguments: [1, 3, 9, Int.max])
  func all(jobs: Int) async throws {
    var fleet = try fleet()
    fleet.jobs = jobs
    let summary = await fleet.execute()
    #expect(summary.status == 0)
    #expect(summary.entries.map(\.outcome.word) == ["swapped", "swapped", "swapped", "swapped"])
    for name in names { #expect(try sample.version(name) == "Notes 2") }
  }

  @Test("one that fails does not stop the others") func failing() async throws {
    try Data("no store".utf8).write(to: URL(filePath: sample.path("b.sqlite")))
    let summary = await (try fleet()).execute()
    #expect(summary.status == 3)
    #expect(summary.entries.map(\.status) == [0, 3, 0, 0])
  }

  @Test("failing fast begins no further store, and says whose turn did not come")
  func fast() async throws {
    try Data("no store".utf8).write(to: URL(filePath: sample.path("b.sqlite")))
    var fleet = try fleet()
    fleet.failsFast = true
    let summary = await fleet.execute()
    #expect(summary.status == 3)
    #expect(summary.entries.map(\.status) == [0, 3, nil, nil])
    #expect(try sample.version("d.sqlite") == "Notes")
  }

  @Test("failing fast stops those at work, which can be resumed") func stopping() async throws {
    try Data("no store".utf8).write(to: URL(filePath: sample.path("d.sqlite")))
    var fleet = try fleet()
    (fleet.jobs, fleet.failsFast) = (4, true)
    let gate = Gate()
    let summary = await fleet.execute(
      events: { event in
        // The runs wait in their first stage until the one that fails has stopped them.
        if event.kind == .stageStarted { gate.wait() }
      }, ended: { entry in if entry.status == 3 { gate.open() } })
    #expect(summary.entries.map(\.status) == [nil, nil, nil, 3])
    try FileManager.default.removeItem(atPath: sample.path("d.sqlite"))
    try FileManager.default.copyItem(atPath: sample.store, toPath: sample.path("d.sqlite"))
    #expect(await (try self.fleet()).execute().status == 0)
  }

  @Test("cancelling stops all, and the same command resumes") func cancelling() async throws {
    var fleet = try fleet()
    fleet.jobs = 2
    let gate = Gate()
    let work = Task { [fleet] in
      await fleet.execute(events: { event in
        if event.kind == .stageStarted { gate.wait() }
      })
    }
    work.cancel()
    gate.open()
    let summary = await work.value
    #expect(summary.status == 130)
    #expect(summary.entries.allSatisfy { $0.status == nil })
    for name in names { #expect(try sample.version(name) == "Notes") }
    #expect(await (try self.fleet()).execute().status == 0)
  }

  @Test("a store that is done is not run again, unless what is there is not what the run has left")
  func done() async throws {
    #expect(await (try fleet()).execute().status == 0)
    try FileManager.default.removeItem(atPath: sample.path("b.sqlite.pipeline"))
    try FileManager.default.removeItem(atPath: sample.path("c.sqlite"))
    try FileManager.default.copyItem(atPath: sample.store, toPath: sample.path("c.sqlite"))
    let begun = Mutex<[String]>([])
    let summary = await (try fleet()).execute(events: { event in
      if event.kind == .runStarted { begun.withLock { $0.append(event.store) } }
    })
    #expect(
      summary.entries.map(\.outcome.word) == ["up to date", "up to date", "swapped", "up to date"])
    #expect(begun.withLock { $0 } == ["b.sqlite", "c.sqlite"].map(sample.path))
    for name in names { #expect(try sample.version(name) == "Notes 2") }
  }

  @Test("each store that was begun has one last event, with its status") func events() async throws
  {
    try Data("no store".utf8).write(to: URL(filePath: sample.path("b.sqlite")))
    let events = Mutex<[ProgressEvent]>([])
    _ = await (try fleet()).execute(events: { event in events.withLock { $0.append(event) } })
    let last = events.withLock { $0 }.filter { $0.kind == .runFinished }
    #expect(last.map(\.store) == names.map(sample.path))
    #expect(last.map(\.status) == [0, 3, 0, 0])
    #expect(last[1].message?.contains("cannot open the store") == true)
  }

  @Test("done stores are left alone the second time") func again() async throws {
    _ = await (try fleet()).execute()
    let before = try names.map(sample.bytes)
    let summary = await (try fleet()).execute()
    #expect(summary.entries.map(\.outcome.word).allSatisfy { $0 == "up to date" })
    #expect(try names.map(sample.bytes) == before)
  }

  private func fleet(_ options: RunOptions = RunOptions()) throws -> Fleet {
    let pipeline = try PipelineFile(path: sample.path("notes.pipeline")).pipeline()
    return Fleet(
      try Planner(pipeline: pipeline),
      stores: try FleetStore.list(names.map(sample.path), options))
  }
}

/// Holds threads back until it is opened.
private final class Gate: Sendable {
  private let isOpen = Mutex(false)

  func open() { isOpen.withLock { $0 = true } }

  func wait() {
    while !isOpen.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
  }
}
