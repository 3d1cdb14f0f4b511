import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Version by script", .temporaryFolder)
struct VersionScriptTests {
  /// The version that a plan with this script starts at.
  private static func source(_ script: String) throws -> String? {
    let sample = try RunSample()
    try script.write(toFile: sample.path("which.lua"), atomically: true, encoding: .utf8)
    let text = """
      pipeline "P" { format = 1, models = "Notes.xcdatamodeld", target = "Notes" }
      stage "detect" { script = "which.lua" }
      stage "open" {} stage "copy" {} stage "swap" {}
      """
    return try sample.plan(text).source?.name
  }

  @Test(
    "a script decides by metadata, by objects and by the versions there are",
    arguments: [
      "return metadata.launches == 7 and 'Notes' or 'none'",
      "return count 'Note where title = \"Milk\"' == 1 and 'Notes' or 'none'",
      "return versions[1]",
    ])
  func decides(script: String) throws {
    #expect(try Self.source(script) == "Notes")
  }

  @Test(
    "what is no version is reported with its place",
    arguments: [
      ("return 'Nots'", "did you mean"), ("return nil", "no version's name"),
      ("return count 'Nothing'", "Nothing"), ("error 'x'", "x"),
    ])
  func mistakes(script: String, message: String) throws {
    let error = #expect(throws: PipelineFileError.self) { try Self.source(script) }
    #expect(error?.problems.first?.message.contains(message) == true)
  }
}
