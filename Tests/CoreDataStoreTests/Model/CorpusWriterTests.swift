import CoreDataStore
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Writing the corpus's models",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)))
struct CorpusWriterTests {
  @Test("a model read, written and read again is the same", arguments: [".xcdatamodeld", ".momd"])
  func roundTrip(ending: String) throws {
    var models = 0
    for path in CorpusModels.paths(endingIn: ending) where !path.contains("Recipes") {
      for model in try ModelFile(CorpusModels.file(path)).models {
        let writer = try ModelWriter(model)
        let again = try SourceModelReader.read(Array(writer.xml.utf8), name: model.name)
        #expect(again.entities == model.entities, "\(path) \(model.name)")
        #expect(again.configurations == model.configurations)
        #expect(again.fetchRequests == model.fetchRequests)
        #expect(again.versionIdentifiers == model.versionIdentifiers)
        #expect(writer.losses.isEmpty, "\(path) \(model.name)")
        models += 1
      }
    }
    #expect(models >= 5)
  }
}
