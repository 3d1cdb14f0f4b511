import Foundation
import TestSupport

/// A store of the corpus, copied into the folder of the test.
enum CorpusStore {
  /// The paths of all stores, below the corpus.
  static let all: [String] = {
    guard let folder = OutsideMaterial.corpus.folder,
      let paths = FileManager.default.enumerator(atPath: folder.path)
    else { return [] }
    return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".sqlite") }.sorted()
  }()

  /// Copies a store with what lies next to it; gives back its path.
  static func copy(_ store: String) throws -> String {
    let source = (OutsideMaterial.corpus.folder ?? URL(filePath: "/")).appending(path: store)
    let target = TemporaryFolder.url.appending(path: source.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
      // Read and written, not copied: files of the corpus may be read-only.
      try Data(contentsOf: URL(filePath: source.path + suffix))
        .write(to: URL(filePath: target.path + suffix))
    }
    return target.path
  }

  /// The names and contents of all files in the test's folder.
  static func folder() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: TemporaryFolder.url.appending(path: $0)))
      })
  }
}
