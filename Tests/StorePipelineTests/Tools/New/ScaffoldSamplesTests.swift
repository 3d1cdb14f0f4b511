import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import StorePipeline

@Suite("What stores of two versions have in common", .temporaryFolder)
struct ScaffoldSamplesTests {
  /// The notes' store in the place of both: each attribute has the values of itself.
  private static func samples() throws -> (PipelineScaffold.Samples, Model) {
    try NotesSample.lay(in: TemporaryFolder.url)
    let path = TemporaryFolder.url.appending(path: "Notes.sqlite").path
    let model = try NotesSample.model("Notes")
    let store = try Store(path)
    return (try PipelineScaffold.Samples(old: store, of: model, new: store, of: model), model)
  }

  private static func attribute(_ name: String, _ model: Model) throws -> Attribute {
    try #require(model.attribute(name, of: "Note"))
  }

  @Test("equal values are all alike, others are not, and two truth values say nothing")
  func share() throws {
    let (samples, model) = try Self.samples()
    let (title, text) = (try Self.attribute("title", model), try Self.attribute("text", model))
    #expect(samples.share(of: title, in: "Note", title, in: "Note") == 100)
    #expect(samples.share(of: title, in: "Note", text, in: "Note") == 0)
    let done = try Self.attribute("done", model)
    #expect(samples.share(of: done, in: "Note", done, in: "Note") == nil)
  }

  @Test("only the first step begins at the older store, and only the last ends at the newer one")
  func cut() throws {
    let (samples, model) = try Self.samples()
    let title = try Self.attribute("title", model)
    for (isFirst, isLast) in [(true, false), (false, true), (false, false)] {
      let cut = samples.cut(isFirst: isFirst, isLast: isLast)
      #expect(cut.share(of: title, in: "Note", title, in: "Note") == nil)
    }
  }

  @Test("a preview counts what the older store has, with a few values; without one there is none")
  func preview() throws {
    let (samples, _) = try Self.samples()
    #expect(samples.preview(of: "Note") == "3 objects")
    #expect(samples.preview(of: "Note.done")?.hasPrefix("3 of 3 objects have one: ") == true)
    #expect(samples.preview(of: "Note.pinned") == nil, "what is new has none")
    #expect(samples.preview(of: "Nothing") == nil)
    #expect(PipelineScaffold.Samples().preview(of: "Note") == nil)
  }
}
