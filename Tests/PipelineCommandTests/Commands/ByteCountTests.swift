import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

@Suite("Sizes of a command line", .temporaryFolder) struct ByteCountTests {
  @Test("a size has a unit") func sizes() {
    #expect(ByteCount(argument: "1 GB")?.bytes == 1_000_000_000)
    #expect(ByteCount(argument: "2MiB")?.bytes == 2 << 20)
    for text in ["", "1", "GB", "-1 GB", "many"] { #expect(ByteCount(argument: text) == nil) }
  }

  @Test(
    "a value that is too long is refused with its object, unless longer ones are allowed",
    arguments: ["ZFOLDER SET ZNAME", "ZNOTE SET ZTEXT"])
  func long(place: String) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    try SampleStore.change(
      TemporaryFolder.url.appending(path: "Notes.sqlite").path,
      by: "UPDATE \(place) = CAST(zeroblob(3000000) AS TEXT) WHERE Z_PK = 2")
    let run = "pipeline run notes.pipeline Notes.sqlite"
    let refused = try Tool.shell("\(run) --longest-value 2MiB")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("longer than 2.1 MB"), "\(refused.errors)")
    #expect(refused.errors.contains("Z_PK 2"), "\(refused.errors)")
    #expect(refused.errors.contains("--longest-value"), "\(refused.errors)")
    #expect(try Tool.shell("\(run) --longest-value 4MiB").status == 0)
  }
}
