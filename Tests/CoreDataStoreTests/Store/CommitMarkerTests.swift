import Formats
import Foundation
import SQLite
@testable import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("The run's mark", .temporaryFolder) struct CommitMarkerTests {
  private func mark(_ log: PropertyList?) throws -> String {
    var entries = StoreSample.metadata(of: try StoreSample.model())
    entries["PipelineLog"] = log
    let path = try StoreSample.make()
    let store = try Connection(path: path, mode: .own(create: false))
    try store.run(
      "UPDATE Z_METADATA SET Z_PLIST = ?1",
      [.blob(try BinaryPropertyListWriter.write(.dictionary(entries)))])
    defer { try? store.close() }
    return try CommitMarker.last(in: store)
  }

  @Test("the last record names the run") func last() throws {
    let records = ["one", "two"].map { PropertyList.dictionary(["run": .string($0)]) }
    #expect(try mark(.array(records)) == "two")
  }

  @Test(
    "a log of another form is none",
    arguments: [
      nil, .array([]), .string("one"), .array([.string("one")]),
      .array([.dictionary(["run": .integer(5)])]),
    ] as [PropertyList?])
  func other(log: PropertyList?) throws { #expect(try mark(log) == "") }

  @Test("a store without metadata has none") func none() throws {
    let path = try StoreSample.make()
    let store = try Connection(path: path, mode: .own(create: false))
    try store.execute("DROP TABLE Z_METADATA")
    #expect(try CommitMarker.last(in: store) == "")
    try store.close()
  }
}
