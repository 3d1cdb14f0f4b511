import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

@Suite("The number of workers", .temporaryFolder) struct WorkerNumberTests {
  @Test("is a whole number from 1 to 64") func numbers() {
    #expect(WorkerNumber(argument: "1")?.count == 1)
    #expect(WorkerNumber(argument: "64")?.count == 64)
    for text in ["", "0", "-1", "65", "two", "1.5"] {
      #expect(WorkerNumber(argument: text) == nil)
    }
  }

  @Test("is refused like other options' values where it is none") func refused() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let run = "pipeline run notes.pipeline Notes.sqlite"
    let refused = try Tool.shell("\(run) --workers 0")
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains("--workers takes a whole number from 1 to 64"), "\(refused.errors)")
    #expect(try Tool.shell("\(run) --workers 3").status == 0)
  }
}
