import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@testable import pipeline

@Suite("Errors of the layers below")
struct LayerErrorsTests {
  @Test(
    "a failure has the status of its kind",
    arguments: [
      (Failure.Kind.no, Status.no), (.misuse, .misuse), (.notCoreData, .unusable),
      (.unusable, .unusable), (.unusableModel, .unusable), (.refused, .refused), (.busy, .busy),
      (.defect, .defect),
    ])
  func failure(kind: Failure.Kind, status: Status) {
    let error = Failure(
      kind, what: "cannot open the store", subject: "a.sqlite", why: "It is so.",
      remedy: "Do this.")
    #expect(error.status == status)
    #expect(
      error.problems == [Problem("cannot open the store: a.sqlite\nIt is so.", hint: "Do this.")])
  }

  @Test("a defect says what state the store is in, and ends the command with status 70")
  func defect() {
    let error = Failure.defect("the plan has no step", what: "cannot do the step", subject: "a")
    #expect(error.status == .defect && error.status.rawValue == 70)
    #expect(error.why == "A mistake in pipeline itself: the plan has no step.")
    #expect(error.remedy.hasPrefix("The store is as it was."))
  }

  @Test("a name in an error is on one line, and makes no line of its own") func names() {
    let error = Failure(
      .busy, what: "cannot open the store", subject: "a\npipeline: all is well", why: "It is so.",
      remedy: "Do this.")
    #expect(error.problems.first?.message.hasPrefix("cannot open the store: a\\npipeline") == true)
    let reason = Failure(
      .unusable, what: "cannot open the store", subject: "a.sqlite",
      why: "malformed (a\npipeline: all is well)", remedy: "Do this.")
    #expect(reason.problems.first?.message.contains("(a\\npipeline") == true)
  }

  @Test(
    "what the machine does not let read is status 4, what is not there 2", .temporaryFolder,
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs proc(5)"),
    arguments: [("/proc/self/mem", 4), ("none.pipeline", 2), (".", 2)] as [(String, Int32)])
  func unreadable(path: String, status: Int32) throws {
    // Reading address 0 of a process is EIO (proc(5)).
    let outcome = try Tool.shell("pipeline check \(path)")
    #expect(outcome.status == status, "\(outcome)")
  }
}
