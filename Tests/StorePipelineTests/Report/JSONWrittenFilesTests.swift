import Formats
import StorePipeline
import Testing

@Suite("Files that were written, as JSON")
struct JSONWrittenFilesTests {
  @Test("each is reported by its path, with any name", arguments: [[], ["a", "b\n\"c\u{1}"]])
  func paths(paths: [String]) throws {
    let document = try JSONValue(reading: Array(JSONWrittenFiles(paths).text.utf8))
    #expect(document["format"]?.integer == 1)
    #expect(document["written"]?.array?.compactMap(\.string) == paths)
  }
}
