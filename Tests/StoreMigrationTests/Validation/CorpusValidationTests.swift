import CoreDataStore
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Validation of the corpus's stores",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
  .temporaryFolder)
struct CorpusValidationTests {
  @Test(
    "under its own model a store's failures are all its own: warnings", arguments: CorpusStores.all)
  func warningsOnly(path: String) throws {
    let old = try CorpusStores.copy(path, as: "old.sqlite")
    let new = try CorpusStores.copy(path, as: "new.sqlite")
    let store = try Store(old)
    guard let model = try store.recognise().model else { return }
    let schema = try StoreSchema(
      of: model,
      masters: StoreSchema.masters(of: model, among: store.schema.objects(of: .table).map(\.name)))
    let source = Validation.Source(
      path: try CorpusStores.copy(path, as: "source.sqlite"), schema: schema,
      mappings: [Mapping(from: model, to: model)])
    let result = try Validation(store: new, schema: schema, source: source).run()
    #expect(result.errors == 0, "\(result.countsByRule)")
    #expect(result.unchecked.isEmpty, "\(result.unchecked)")
  }
}
