import CoreDataStore
import Testing

@Suite("Model")
struct ModelTests {
  private static func model() throws -> Model {
    try Model(
      name: "M",
      entities: [
        Entity(name: "b", parent: "B"), Entity(name: "B"), Entity(name: "a", parent: "B"),
      ], versionIdentifiers: ["2", "1"], configurations: ["Main": ["b", "B"]],
      fetchRequests: [FetchRequest(name: "s"), FetchRequest(name: "r")])
  }

  @Test("its parts are in the order of names, whatever order they came in") func order() throws {
    let model = try Self.model()
    #expect(model.entities.map(\.name) == ["B", "a", "b"])
    #expect(model.versionIdentifiers == ["1", "2"])
    #expect(model.configurations == ["Main": ["B", "b"]])
    #expect(model.fetchRequests.map(\.name) == ["r", "s"])
  }

  @Test("an entity is found by name, its parent and its children by the entity") func family()
    throws
  {
    let model = try Self.model()
    let root = try #require(model.entity(named: "B"))
    #expect(model.roots == [root] && model.parent(of: root) == nil)
    #expect(model.children(of: root).map(\.name) == ["a", "b"])
    #expect(model.children(of: root).allSatisfy { model.parent(of: $0) == root })
    #expect(model.entity(named: "c") == nil)
  }

  @Test("hashes that are recorded must be the model's own") func recorded() throws {
    let model = try Self.model()
    let hashes = VersionHashes(of: model).entities
    #expect(try model.with(recordedHashes: hashes).recordedHashes == hashes)
    let strange = hashes.mapValues { _ in hashes["a"] }.compactMapValues(\.self)
    #expect(throws: Failure.self) { try model.with(recordedHashes: strange) }
  }
}
