import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@testable import pipeline

@Suite("A model on the command line", .temporaryFolder)
struct ModelArgumentTests {
  @Test(
    "a path names a model by its ending, or by being a folder",
    arguments: [
      ("a.momd", true), ("a.MOM", true), ("a.xcdatamodeld", true), ("a.sqlite", false),
      ("a.xcdatamodel/contents", true), ("contents", false), ("", true),
    ])
  func isModel(name: String, isModel: Bool) {
    #expect(ModelArgument.isModel("\(TemporaryFolder.url.path)/\(name)") == isModel)
  }

  @Test("without a version the current one is meant", arguments: [nil, "Notes"])
  func version(name: String?) throws {
    let path = NotesSample.models.path
    let (model, origin) = try ModelArgument(path: path, version: name).open()
    #expect(model.name == name ?? "Notes 2")
    #expect(origin.versions == ["Notes", "Notes 2"] && origin.current == "Notes 2")
    #expect(origin.path == path && origin.kind == "xcdatamodeld")
  }

  @Test("a store takes no version, and one without a copy of its model says so") func store() throws
  {
    try NotesSample.lay(in: TemporaryFolder.url)
    let path = TemporaryFolder.url.appending(path: "Notes.sqlite").path
    #expect(throws: UsageError.self) { try ModelArgument(path: path, version: "Notes").open() }
    let error = #expect(throws: Failure.self) {
      try ModelArgument(path: path, version: nil).open()
    }
    #expect(error?.why.hasPrefix("It keeps no copy") == true && error?.subject == path)
  }
}
