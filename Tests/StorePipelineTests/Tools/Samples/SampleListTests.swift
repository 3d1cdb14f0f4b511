import Formats
import StorePipeline
import Testing

@Suite("The list of samples")
struct SampleListTests {
  @Test("each sample has a line and a member") func list() throws {
    let list = SampleList(Sample.all)
    #expect(list.text(200).split(separator: "\n").count == Sample.all.count)
    let document = try JSONValue(reading: Array(list.json.utf8))
    let names = try #require(document["samples"]?.array).map { $0["name"]?.string }
    #expect(names == Sample.all.map(\.name))
  }

  @Test("what is made is listed without what is hidden") func made() {
    let made = SampleList.Made(folder: "a", names: [".b_SUPPORT", "b.sqlite"])
    #expect(made.text == "a/b.sqlite")
  }
}
