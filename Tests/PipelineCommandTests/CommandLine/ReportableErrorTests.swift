import struct StorePipeline.Style
import Testing

@testable import pipeline

@Suite("Problem")
struct ReportableErrorTests {
  @Test(
    "a paragraph is the place, the message and, on a line of its own, what to do",
    arguments: [
      (Problem("no"), "pipeline: no"), (Problem("no", at: "a.pipeline:3"), "a.pipeline:3: no"),
      (Problem("no", at: "a:3", hint: "Try again."), "a:3: no\nTry again."),
    ])
  func paragraph(problem: Problem, text: String) {
    #expect(problem.paragraph(Style(isOn: false)) == text)
  }

  @Test("a failure is one problem, and names no file") func failure() {
    let failure = CommandFailure(.busy, "it is locked", hint: "Wait.")
    #expect(failure.problems == [Problem("it is locked", hint: "Wait.")])
    #expect(failure.status == .busy)
  }
}
