internal import Foundation
internal import OperatingSystem

/// Finds test files by the paths that a command was given.
package enum TestFiles {
  /// How the name of a test file ends.
  package static let ending = "_test.lua"

  /// The files among these paths, and the test files in the folders among them and below.
  ///
  /// - Throws: ``PipelineFileError`` for a path that leads nowhere, and for a folder without tests.
  package static func find(_ paths: [String]) throws -> [String] {
    var files: [String] = []
    var problems: [Problem] = []
    for path in paths {
      guard PipelinePath.exists(path) else {
        problems.append(Problem(file: path, line: 0, message: "there is no such file or folder"))
        continue
      }
      let url = URL(filePath: FileSystem.resolved(path))
      let isFolder = try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory
      let found = isFolder == true ? below(path) : [path]
      if found.isEmpty {
        problems.append(
          Problem(
            file: path, line: 0,
            message: "no file in it is named *\(ending): 'pipeline new' writes one, and "
              + "'pipeline help test' says what stands in it"))
      }
      files += found
    }
    guard problems.isEmpty else { throw PipelineFileError(problems) }
    var seen: Set<String> = []
    return files.filter { seen.insert($0).inserted }
  }

  private static func below(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let start = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    return names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") && !$0.contains("/.") }
      .sorted().map { start + $0 }
  }
}
