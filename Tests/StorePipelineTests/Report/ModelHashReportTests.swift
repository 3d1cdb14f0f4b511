import CoreDataStore
import StorePipeline
import StoreTestSupport
import Testing

@Suite("Model hash report")
struct ModelHashReportTests {
  /// A model with one hash that cannot be computed, recorded or not.
  static func uncertain(recorded: Bool) throws -> ModelHashReport {
    var attribute = Attribute(name: "c", type: .composite)
    attribute.elements = [Attribute(name: "x", type: .double)]
    var entity = Entity(name: "Odd")
    entity.attributes = [attribute]
    let hash = try #require(VersionHash(bytes: Array(repeating: 7, count: 32)))
    return ModelHashReport(
      try Model(
        name: "M", entities: [entity, Entity(name: "Plain")],
        recordedHashes: recorded ? ["Odd": hash] : [:]))
  }

  @Test("every entity has its hash, and there is nothing to note") func plain() throws {
    let report = ModelHashReport(try NotesSample.model("Notes"))
    #expect(report.entities.map(\.name) == ["Folder", "Note", "Tag"])
    #expect(report.entities.allSatisfy { $0.hash?.count == 44 })
    #expect(report.digest?.count == 88 && report.checksum?.count == 44)
    #expect(report.notes.isEmpty)
  }

  @Test(
    "a hash that cannot be computed is named with why and what to do", arguments: [true, false])
  func doubt(recorded: Bool) throws {
    let report = try Self.uncertain(recorded: recorded)
    #expect(report.doubts.map(\.entity) == ["Odd"])
    #expect(report.doubts.map(\.isRecorded) == [recorded])
    #expect((report.checksum == nil) == !recorded)
    #expect(report.notes.count == 1 && report.notes[0].contains("c is a composite attribute"))
    #expect(report.notes[0].contains(recorded ? "is shown" : "VersionInfo.plist"))
  }
}
