import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Which version a store was made with",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
  .temporaryFolder)
struct ModelRecognitionTests {
  @Test("each store is recognised by its model's files", arguments: CorpusStores.versions)
  func byFile(store: String, models: String, version: String) throws {
    let opened = try Store(CorpusStores.copy(CorpusStores.named(store)))
    let source = try ModelSource([CorpusModels.file(models)])
    let answer = try opened.recognise(among: source)
    #expect(answer.known == .file)
    #expect(answer.model?.name == version)
    #expect(answer.files == [CorpusModels.file(models)])
    #expect(answer.misfits.isEmpty && !answer.isNewer)
  }

  @Test("each store of the migration examples is recognised by one version of its models")
  func migrationExamples() throws {
    for (number, store) in CorpusStores.all.enumerated()
    where store.contains("CoreDataMigration_Example_") {
      let project = try #require(store.split(separator: "/").first)
      let models =
        "\(project)/CoreDataMigration-Example/CoreData/Model/"
        + "CoreDataMigration_Example.xcdatamodeld"
      let opened = try Store(CorpusStores.copy(store, as: "\(number).sqlite"))
      let answer = try opened.recognise(among: ModelSource([CorpusModels.file(models)]))
      #expect(answer.known == .file, "\(store)")
    }
  }

  @Test("each store but the one of 2009 is recognised by its own cache")
  func byCache() throws {
    for (number, store) in CorpusStores.all.enumerated() {
      let opened = try Store(CorpusStores.copy(store, as: "\(number).sqlite"))
      let answer = try opened.recognise()
      let isOld = store.contains("MagicalRecord")
      #expect(answer.known == (isOld ? .none : .cache), "\(store)")
      #expect(opened.metadata.hashes.count == answer.model?.entities.count ?? 4)
      #expect(answer.cacheProblem == nil)
    }
  }

  @Test("a version left out is recognised by the properties that differ from the nearest one")
  func nearest() throws {
    let folder = CorpusModels.file(
      "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld")
    let copy = samplePath("Known.xcdatamodeld")
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for version in ["BookmarksModel", "BookmarksModel 2", "BookmarksModel 3"] {
      try FileManager.default.copyItem(
        atPath: "\(folder)/\(version).xcdatamodel", toPath: "\(copy)/\(version).xcdatamodel")
    }
    let store = try Store(CorpusStores.copy(CorpusStores.named("Bookmarks_V4")))
    let answer = try store.recognise(among: ModelSource([copy]))
    #expect(answer.known == .cache)
    #expect(answer.nearest?.name == "BookmarksModel 3")
    let sentences = answer.misfits.map(\.description)
    #expect(
      sentences.contains(
        "BookmarkEntity.favoriteFolder of your model is favoriteFolders in the store"))
    #expect(
      sentences.contains(
        "BookmarkEntity.favoriteFolders leads to one in your model, to many in the store"))
    #expect(answer.isNewer)
  }

  @Test("a store of entities that no model knows is not said to be newer")
  func strangers() throws {
    let store = try Store(CorpusStores.copy(CorpusStores.named("SampleModel3_V1")))
    let folder = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
    let answer = try store.recognise(among: ModelSource([CorpusModels.file(folder)]))
    #expect(answer.known == .cache)
    #expect(!answer.isNewer)
    #expect(answer.misfits.map(\.description).contains("User is in the store, not in your model"))
  }

  @Test("a model that fits has no misfits, another one has")
  func against() throws {
    let store = try Store(CorpusStores.copy(CorpusStores.named("Bookmarks_V2")))
    let folder = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
    let file = try ModelFile(CorpusModels.file(folder))
    for model in try file.models {
      let misfits = try store.misfits(of: model)
      #expect(misfits.isEmpty == (model.name == "BookmarksModel 2"), "\(model.name) \(misfits)")
    }
  }

  @Test("a store whose cached model has other hashes than its metadata is refused")
  func contradiction() throws {
    let path = try CorpusStores.copy(CorpusStores.named("SampleModel3_V1"))
    let other = try CorpusStores.copy(CorpusStores.named("Bookmarks_V1"))
    let cache = try #require(try Store(other).modelCacheContent())
    let connection = try Connection(path: path, mode: .foreignWritable)
    try connection.run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?1", [.blob(cache)])
    try connection.close()
    let error = StoreSample.error(opening: path)
    #expect(error?.kind == .unusable)
    #expect(error?.subject.contains("entity BookmarkEntity") == true)
  }

  @Test(
    "a damaged cache is reported, and the model's file stands in for it",
    arguments: ["substr(Z_CONTENT, 1, 100)", "NULL", "'text'", "zeroblob(17000000)", "x''"])
  func damagedCache(content: String) throws {
    let path = try CorpusStores.copy(CorpusStores.named("SampleModel3_V1"))
    let connection = try Connection(path: path, mode: .foreignWritable)
    try connection.run("UPDATE Z_MODELCACHE SET Z_CONTENT = \(content)", [])
    try connection.close()
    let store = try Store(path)
    #expect(try store.recognise().known == .none)
    #expect(try store.recognise().cacheProblem != nil)
    let models = "CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld"
    #expect(
      try store.recognise(among: ModelSource([CorpusModels.file(models)])).known == .file)
  }
}
