import CoreDataStore
import Foundation
import StorePipeline

/// A model named on the command line: a path, and which of its versions is meant.
struct ModelArgument {
  /// The path.
  let path: String
  /// The version's name; nil for the current one.
  let version: String?

  /// Whether a path names a model, by what it is called and what it is; all else may be a store.
  static func isModel(_ path: String) -> Bool {
    let url = URL(filePath: path)
    let kind = ModelFile.Kind(rawValue: url.pathExtension.lowercased())
    let values = try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey])
    return kind != nil || values?.isDirectory == true || path.hasSuffix(".xcdatamodel/contents")
  }

  /// The model, and where it came from.
  func open() throws -> (model: Model, origin: ModelReport.Origin) {
    let file = try ModelFile(path)
    let model = try version.map(file.model(named:)) ?? file.current
    let origin = ModelReport.Origin(
      path: path, kind: file.kind.rawValue, versions: file.versions,
      current: try? file.currentVersion)
    return (model, origin)
  }
}
