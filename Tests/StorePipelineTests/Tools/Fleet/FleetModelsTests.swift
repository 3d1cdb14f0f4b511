import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Models of versions in the wild", .temporaryFolder)
struct FleetModelsTests {
  private static var folder: String { TemporaryFolder.url.path }
  private static var first: String { NotesSample.models.appending(path: "Notes.xcdatamodel").path }

  private static func make(_ name: String, _ version: String) throws {
    try SampleStore.make(of: NotesSample.model(version), at: "\(folder)/\(name)")
  }

  private static func look(_ models: [String]) async throws -> FleetPicture {
    var choices = FleetPicture.Choices()
    choices.models = try ModelSource(models)
    choices.asksVersionsOnly = true
    return try await FleetPicture.look(at: FleetPicture.Search([folder]), choices)
  }

  @Test("the model of an unknown version is written once, and names the stores' version then")
  func once() async throws {
    try Self.make("a.sqlite", "Notes")
    // Two versions of another application, which keep their models; one of them twice.
    try AppStores.laySwiftData(in: TemporaryFolder.url)
    try FileManager.default.copyItem(
      atPath: "\(Self.folder)/old/default.store", toPath: "\(Self.folder)/b.store")
    let picture = try await Self.look([Self.first])
    #expect(picture.versions.map(\.count) == [2, 1, 1])
    #expect(picture.versions.filter { $0.known == .model }.map(\.name) == ["Notes"])
    #expect(picture.versions.filter { $0.known == .none }.count == 2)
    let written = try picture.extractModels(to: "\(Self.folder)/unknown")
    #expect(written.paths.count == 2)
    #expect(written.paths.values.allSatisfy { $0.hasSuffix(".xcdatamodel") })
    #expect(try picture.extractModels(to: "\(Self.folder)/unknown/").paths == written.paths)
    let again = try await Self.look([Self.first] + written.paths.values)
    #expect(again.versions.map(\.known) == [.model, .model, .model])
    #expect(try again.extractModels(to: Self.folder).paths.isEmpty)
    let whole = try await Self.look([Self.first, "\(Self.folder)/unknown/"])
    #expect(whole.versions.map(\.known) == [.model, .model, .model])
  }

  @Test("a version of which no store keeps a model is a warning") func warning() async throws {
    try Self.make("b.sqlite", "Notes 2")
    let written = try await Self.look([Self.first]).extractModels(to: "\(Self.folder)/unknown")
    #expect(written.paths.isEmpty)
    #expect(written.warnings.count == 1 && written.warnings[0].contains("b.sqlite"))
  }
}
