import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@testable import pipeline

@Suite("Errors of the layers below")
struct LayerErrorsTests {
  @Test(
    "an error of a store has the status of its kind",
    arguments: [
      (StoreError.Category.notCoreData, Status.unusable), (.unusable, .unusable),
      (.refused, .refused), (.busy, .busy),
    ])
  func store(category: StoreError.Category, status: Status) {
    let error = StoreError(
      category, what: "cannot open the store", subject: "a.sqlite", why: "It is so.",
      remedy: "Do this.")
    #expect(error.status == status)
    #expect(
      error.problems == [Problem("cannot open the store: a.sqlite\nIt is so.", hint: "Do this.")])
  }

  @Test("an error of a model is the model's, unless the machine refused", arguments: [false, true])
  func model(isRefusal: Bool) {
    var error = ModelError(
      what: "cannot read the model", subject: "a.mom", why: "It is so.", remedy: "Do this.")
    error.isRefusal = isRefusal
    #expect(error.status == (isRefusal ? .refused : .unusable))
    #expect(
      error.problems == [Problem("cannot read the model: a.mom\nIt is so.", hint: "Do this.")])
  }

  @Test("a name in an error is on one line, and makes no line of its own") func names() {
    let error = StoreError(
      .busy, what: "cannot open the store", subject: "a\npipeline: all is well", why: "It is so.",
      remedy: "Do this.")
    #expect(error.problems.first?.message.hasPrefix("cannot open the store: a\\npipeline") == true)
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
