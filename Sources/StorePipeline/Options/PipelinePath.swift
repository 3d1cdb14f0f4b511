import CoreDataStore
import Foundation

/// The paths in a pipeline file: relative to the file.
enum PipelinePath {
  static func resolve(_ path: String, in folder: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    return URL(filePath: folder).appending(path: path).standardizedFileURL.path
  }

  /// The folder a file lies in, from the root on.
  static func folder(of file: String) -> String {
    URL(filePath: file).absoluteURL.deletingLastPathComponent().standardizedFileURL.path
  }

  /// A path from the current folder on, when it is below that.
  static func shown(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// The last part of a path.
  static func name(of path: String) -> String { URL(filePath: path).lastPathComponent }

  /// `; did you mean p.pipeline?`, of what is in the folder of a path that leads nowhere.
  static func suggestion(for path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return NearestName.suggestion(
      for: name(of: path),
      among: names.filter { URL(filePath: $0).pathExtension == URL(filePath: path).pathExtension }
        .sorted())
  }

  /// Whether something is there.
  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
