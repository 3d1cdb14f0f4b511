import Foundation
import StorePipeline

/// The work folders of stores, found by their names.
enum WorkFolders {
  private static let ending = ".pipeline"

  /// The one store in the current folder that has a work folder.
  ///
  /// - Throws: ``UsageError`` when none or several have.
  static func onlyStore() throws -> String {
    let here = FileManager.default.currentDirectoryPath
    let names = try FileManager.default.contentsOfDirectory(atPath: here)
    let stores = names.filter { name in
      name.hasSuffix(ending) && name != ending && isFolder("\(here)/\(name)")
    }.map { String($0.dropLast(ending.count)) }.sorted()
    guard stores.count <= 1 else {
      throw UsageError("which store? One of \(stores.map(\.word).joined(separator: ", "))")
    }
    guard let store = stores.first else {
      throw UsageError("no store is given, and none in this folder has a work folder")
    }
    return store
  }

  static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  static func isFolder(_ path: String) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
    return type as? FileAttributeType == .typeDirectory
  }
}
