internal import CoreDataStore
internal import Foundation
internal import TestSupport

/// The model files of the corpus.
package enum CorpusModels {
  /// What a skipped test says.
  package static let advice = "set PIPELINE_CORPUS to the folder of real stores and models"

  /// Files and folders below the corpus whose name ends so, by path.
  package static func paths(endingIn suffix: String) -> [String] {
    guard let folder = OutsideMaterial.corpus.folder,
      let all = FileManager.default.enumerator(atPath: folder.path)
    else { return [] }
    return all.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
  }

  /// The full path of a path below the corpus.
  package static func file(_ path: String) -> String {
    OutsideMaterial.corpus.folder?.appending(path: path).path ?? path
  }

  /// The bytes of a file below the corpus.
  package static func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: file(path))))
  }
}
