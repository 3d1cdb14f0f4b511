import Formats
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Trust as JSON", .temporaryFolder)
struct JSONTrustTests {
  @Test("each file has its digest, and its programs with their words")
  func entries() throws {
    let file = TemporaryFolder.url.appending(path: "a.pipeline").path
    let text = """
      pipeline "P" { format = 1, models = "M.xcdatamodeld" }
      stage "hook" { command = { "true", "now" } }
      stage "copy" {}
      """
    let pipeline = try PipelineFile(text, path: file).pipeline(checksFiles: false)
    let trust = try #require(try HookTrust(pipeline, environment: ["PATH": "/usr/bin:/bin"]))
    let document = try JSONValue(reading: Array(JSONTrust([trust]).text.utf8))
    #expect(document["format"]?.integer == 1)
    let entry = try #require(document["trusted"]?.array?.first)
    #expect(entry["file"]?.string == trust.file)
    #expect(entry["digest"]?.string == trust.digest)
    let program = try #require(entry["programs"]?.array?.first)
    #expect(program["command"]?.array?.map(\.string) == ["true", "now"])
    #expect(program["path"]?.string?.hasSuffix("/bin/true") == true)
  }

  @Test("nothing trusted is an empty list") func none() {
    #expect(JSONTrust([]).text.contains("\"trusted\": []"))
  }
}
