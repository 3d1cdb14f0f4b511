import Foundation
import StorePipeline
import Testing

@Suite("The folder scripts")
struct ScriptsFolderTests {
  private static let folder = URL(filePath: #filePath)
    .appending(path: "../../../../../scripts").standardizedFileURL.path

  @Test("every script has tests next to it, and they pass")
  func tests() async throws {
    let files = try TestFiles.find([Self.folder])
    let scripts = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
      .filter { $0.hasSuffix(".lua") && !$0.hasSuffix(TestFiles.ending) }
    for script in scripts {
      let test = String(script.dropLast(4)) + TestFiles.ending
      #expect(files.contains { $0.hasSuffix("/" + test) }, "\(script) has no \(test)")
    }
    let summary = try await ScriptTests(files).run()
    #expect(summary.problems == [])
    #expect(summary.results.count > 4)
    for result in summary.results { #expect(result.failure == [], "\(result.name)") }
  }
}
