import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

@Suite("pipeline inspect", .temporaryFolder)
struct InspectCommandTests {
  @Test(
    "every store of the corpus can be looked at, and is as it was afterwards",
    .enabled(if: OutsideMaterial.corpus.isThere, "set PIPELINE_CORPUS to a folder of stores"),
    arguments: CorpusStore.all)
  func corpus(store: String) async throws {
    let path = try CorpusStore.copy(store)
    let before = try CorpusStore.folder()
    let text = await Program.pipeline.say(["inspect", path, "--metadata"])
    let json = await Program.pipeline.say(["inspect", path, "--json"])
    #expect(try CorpusStore.folder() == before)
    #expect(text.status == .done && text.errors == "")
    #expect(text.output.contains("\nintegrity    ok\n"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(document["format"] as? Int == 1)
    #expect((document["entities"] as? [Any])?.isEmpty == false)
  }

  @Test(
    "a signal ends what looks at a store while that is checked",
    arguments: [["inspect"], ["plan", "notes.pipeline"], ["diff", "Notes.sqlite"]])
  func stopped(words: [String]) async throws {
    let folder = TemporaryFolder.url
    try NotesSample.lay(
      in: folder,
      adding: "CREATE TABLE LARGE (BYTES BLOB); INSERT INTO LARGE VALUES (zeroblob(6000000))")
    let cancellation = Cancellation()
    cancellation.cancel(.terminated)
    let paths = (words.dropFirst() + ["Notes.sqlite"]).map { folder.appending(path: $0).path }
    let said = await Program.pipeline.say([words[0]] + paths, cancellation: cancellation)
    #expect(said.status == .terminated && said.output == "", "\(said)")
  }

  @Test("a model that the machine will not read ends with status 4") func refused() async throws {
    let path = TemporaryFolder.url.appending(path: String(repeating: "n", count: 300)).path
    let said = await Program.pipeline.say(["inspect", "\(path).momd"])
    #expect(said.status == .refused && said.output == "")
    #expect(said.errors.contains("Check the disk and the permissions"))
  }

  @Test(
    "what is no store ends with status 3, and is named",
    arguments: ["", "SQLite format 3\0", "SQLite format 3\0" + String(repeating: "x", count: 5000)])
  func broken(content: String) async throws {
    let path = TemporaryFolder.url.appending(path: "broken.sqlite").path
    try Data(content.utf8).write(to: URL(filePath: path))
    let said = await Program.pipeline.say(["inspect", path])
    #expect(said.status == .unusable && said.output == "")
    #expect(said.errors.hasPrefix("pipeline: ") && said.errors.contains("broken.sqlite"))
  }

  @Test(
    "status 3 when the version is unknown and the store's own model cannot be read",
    arguments: ["x'00'", "zeroblob(100000)", "x'62706C6973743030'", "'text'"])
  func cache(content: String) async throws {
    let store = TemporaryFolder.url.appending(path: "Notes.sqlite").path
    try NotesSample.lay(in: TemporaryFolder.url)
    try SampleStore.change(
      store,
      by: "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE "
        + "VALUES (\(content))")
    let said = await Program.pipeline.say(["inspect", store])
    #expect(said.status == .unusable)
    #expect(said.output.contains("the model it keeps of itself cannot be read"))
    #expect(said.errors.contains("name its models with --models"))
  }
}
