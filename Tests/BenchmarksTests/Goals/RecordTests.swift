import Foundation
import TestSupport
import Testing

@testable import Benchmarks

@Suite("The record of goals that were reached", .temporaryFolder) struct RecordTests {
  private var file: URL { TemporaryFolder.url.appending(path: "reached.json") }

  @Test("the one of this repository can be read")
  func own() throws {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let options = try BenchOptions([])
    _ = try Record(reading: project.appending(path: options.record).path)
  }

  @Test("what is added is read again, once and in the order of the goals")
  func add() throws {
    try Data("[\"P2\"]".utf8).write(to: file)
    var record = try Record(reading: file.path)
    #expect(record.ids == ["P2"])
    let goals = Findings().goals.filter { ["P13 M1", "P2", "P1"].contains($0.id) }
    try record.add(goals.reversed())
    #expect(try Record(reading: file.path).ids == ["P1", "P2", "P13 M1"])
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasSuffix("]\n"))
  }

  @Test(
    "what is no list of goals is an error that names the file",
    arguments: [
      ("", "is not a JSON array"), ("{}", "is not a JSON array"),
      ("[1]", "has 1, which is no goal"), ("[\"P99\"]", "has \"P99\", which is no goal"),
      ("[\"P13\"]", "has \"P13\", which is no goal"),
    ])
  func mistakes(_ text: String, _ expected: String) throws {
    try Data(text.utf8).write(to: file)
    let error = #expect(throws: BenchError.self) { try Record(reading: file.path) }
    #expect(error?.description.contains("reached.json \(expected)") == true)
  }

  @Test("so is a file that is not there")
  func missing() {
    let error = #expect(throws: BenchError.self) { try Record(reading: file.path) }
    #expect(error?.description.hasPrefix("the record of goals cannot be read: ") == true)
  }
}
