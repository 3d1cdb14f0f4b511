import Foundation
import TestSupport
import Testing

@testable import pipeline

@Suite("pipeline inspect", .temporaryFolder)
struct InspectCommandTests {
  @Test(
    "a database is told by its first bytes",
    arguments: [
      ("SQLite format 3\0rest", "an SQLite database, 20 B"), ("", "not an SQLite database, 0 B"),
    ])
  func header(content: String, answer: String) async throws {
    let path = TemporaryFolder.url.appending(path: "file").path
    try Data(content.utf8).write(to: URL(filePath: path))
    let said = await Program.pipeline.say(["inspect", path])
    #expect(said == Said(output: "\(path): \(answer)\n"))
  }
}
