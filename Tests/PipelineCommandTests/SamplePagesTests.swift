import Foundation
import TestSupport
import Testing

/// Runs the commands of the pages that walk through the samples.
@Suite("The pages of the samples", .temporaryFolder)
struct SamplePagesTests {
  static let pages = [
    "Samples", "LeavingICloud", "FourVersions", "WALTrap", "SwiftDataStore", "Fixtures",
    "Checking",
  ]

  @Test(
    "what the page with pictures shows is what happens",
    .enabled(
      if: Tool.says("pipeline --version | grep -q libvips"), "built without the trait Images"))
  func pictures() throws { try page(name: "MovingVan") }

  @Test("what a page shows is what happens", arguments: pages)
  func page(name: String) throws {
    let page = ManyStoresPageTests.project.appending(
      path: "Sources/StorePipeline/StorePipeline.docc/\(name).md")
    let transcript = Transcript(try String(contentsOf: page, encoding: .utf8))
    #expect(!transcript.steps.isEmpty)
    for failure in try transcript.failures(in: TemporaryFolder.url) {
      Issue.record("\(name).md is not what happens:\n\(failure)")
    }
  }
}
