import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import StorePipeline

@Suite("What stores of two versions have in common", .temporaryFolder)
struct NeedSamplesTests {
  /// The notes' store in the place of both: each attribute has the values of itself.
  private static func samples(
    _ version: String = "2"
  ) throws -> (StepNeeds.Samples, Model) {
    try NotesSample.lay(in: TemporaryFolder.url)
    let path = TemporaryFolder.url.appending(path: "Notes.sqlite").path
    let model = try NotesSample.model("Notes")
    let store = try Store(path)
    let stores = try ["1", version].map { name in
      (store: store, version: try Model(name: name, entities: model.entities))
    }
    return (try StepNeeds.Samples(stores).step(from: "1", to: "2"), model)
  }

  private static func attribute(_ name: String, _ model: Model) throws -> Attribute {
    try #require(model.attribute(name, of: "Note"))
  }

  private static func share(
    _ samples: StepNeeds.Samples, _ old: Attribute, _ new: Attribute
  ) -> Int? {
    StepNeeds.Samples.share(
      of: samples.before(old.name, of: "Note"), in: samples.after(new.name, of: "Note"))
  }

  @Test("equal values are all alike, others are not, and two truth values say nothing")
  func share() throws {
    let (samples, model) = try Self.samples()
    let (title, text) = (try Self.attribute("title", model), try Self.attribute("text", model))
    #expect(Self.share(samples, title, title) == 100)
    #expect(Self.share(samples, title, text) == 0)
    let done = try Self.attribute("done", model)
    #expect(Self.share(samples, done, done) == nil)
  }

  @Test("a store is used for the steps that begin or end at its version, and for no other")
  func steps() throws {
    let (samples, model) = try Self.samples("3")
    let title = try Self.attribute("title", model)
    let share = { (step: StepNeeds.Samples) in
      Self.share(step, title, title)
    }
    #expect(share(samples.step(from: "1", to: "3")) == 100)
    #expect(share(samples.step(from: "1", to: "2")) == nil)
    #expect(share(samples.step(from: "2", to: "3")) == nil)
    #expect(samples.step(from: "3", to: "4").preview(of: "Note") == "3 objects")
    #expect(samples.step(from: "2", to: "3").preview(of: "Note") == nil)
  }

  @Test("a step without a store of its own looks at an earlier one, for what stayed the same")
  func earlier() throws {
    let (samples, model) = try Self.samples("9")
    let first = try Model(name: "1", entities: model.entities)
    let second = try ModelText.model(
      """
      <entity name="Note">
        <attribute name="title" attributeType="String"/>
        <attribute name="done" attributeType="String"/>
      </entity>
      """, name: "2")
    let step = samples.step(from: "2", to: "3", before: [first, second])
    #expect(step.values("title", of: "Note").count == 3)
    #expect(step.values("done", of: "Note").isEmpty, "its type is another one")
    #expect(step.values("text", of: "Note").isEmpty, "it is gone")
    #expect(step.isMissing("title", of: "Note") == false)
    #expect(step.isMissing("text", of: "Note") == nil)
    #expect(step.sharing(["title"], of: ["Note"])?.text != nil)
    #expect(step.sharing(["text"], of: ["Note"])?.text == nil)
    #expect(samples.step(from: "2", to: "3").values("title", of: "Note").isEmpty)
  }

  @Test("the store says whether some object has no value")
  func missing() throws {
    let (samples, _) = try Self.samples()
    #expect(samples.isMissing("title", of: "Note") == false)
    #expect(samples.isMissing("pinned", of: "Note") == nil, "what is new has none")
  }

  @Test("a preview counts what the older store has, with a few values; without one there is none")
  func preview() throws {
    let (samples, _) = try Self.samples()
    #expect(samples.preview(of: "Note") == "3 objects")
    #expect(samples.preview(of: "Note.done")?.hasPrefix("3 of 3 objects have one: ") == true)
    #expect(samples.preview(of: "Note.pinned") == nil, "what is new has none")
    #expect(samples.preview(of: "Nothing") == nil)
    #expect(StepNeeds.Samples().preview(of: "Note") == nil)
  }
}
