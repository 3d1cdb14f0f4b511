internal import CoreDataStore
internal import Foundation
internal import TestSupport
internal import Testing

/// The stores of the corpus, always as copies.
package enum CorpusStores {
  /// All of them, by their path below the corpus.
  package static var all: [String] { CorpusModels.paths(endingIn: ".sqlite") }

  /// Copies a store with its -wal into the test's folder; nothing else is taken along.
  package static func copy(_ store: String, as name: String? = nil) throws -> String {
    let source = CorpusModels.file(store)
    let target = samplePath(name ?? URL(filePath: store).lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source + suffix) {
      let bytes = try Data(contentsOf: URL(filePath: source + suffix))
      try bytes.write(to: URL(filePath: target + suffix))
    }
    return target
  }

  /// The folder of models of each store, and the version it was made with.
  package static let versions: [(store: String, models: String, version: String)] = [
    ("Bookmarks_V1", bookmarks, "BookmarksModel"), ("Bookmarks_V2", bookmarks, "BookmarksModel 2"),
    ("Bookmarks_V3", bookmarks, "BookmarksModel 3"),
    ("Bookmarks_V4", bookmarks, "BookmarksModel 4"),
    ("Bookmarks_V5", bookmarks, "BookmarksModel 5"),
    (
      "SyncMetadata_V3", "BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld",
      "SyncMetadata 3"
    ),
    ("SampleModel_V1", sample + "SampleModel/SampleModel.xcdatamodeld", "SampleModel"),
    ("SampleModel_V2", sample + "SampleModel/SampleModel.xcdatamodeld", "SampleModel2"),
    ("SampleModel_V1", sample + "SampleModel/Fixtures/SampleModel.momd", "SampleModel"),
    ("SampleModel_V2", sample + "SampleModel/Fixtures/SampleModel.momd", "SampleModel2"),
    ("SampleModel3_V1", sample + "SampleModel3/SampleModel3.xcdatamodeld", "SampleModel3"),
    ("SampleModel3_V1", sample + "SampleModel3/Fixtures/SampleModel3.momd", "SampleModel3"),
  ]

  private static let bookmarks =
    "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
  private static let sample = "CoreDataPlus/Tests/Resources/"

  /// The path below the corpus of a store's name.
  package static func named(_ name: String) throws -> String {
    try #require(all.first { $0.hasSuffix("/\(name).sqlite") })
  }
}
