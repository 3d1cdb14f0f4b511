internal import CoreDataStore
internal import Foundation
internal import OperatingSystem

/// Paths of stores that are there, or are to be made.
enum StorePath {
  /// The path with the links of its folder resolved: two names of one store are one path then.
  ///
  /// With `making`, folders that are not there are made.
  static func resolved(_ path: String, making: Bool = false) throws -> String {
    let what = "cannot put the new store there"
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty, name != ".", name != ".." else {
      throw Failure(
        .unusable, what: what, subject: path, why: "It is no name of a file.",
        remedy: "Give the path of the file that is to be made.")
    }
    let parent = parts.dropLast().joined(separator: "/")
    if making, !parent.isEmpty { try FileSystem.makeFolders(parent) }
    guard making || parent.isEmpty || FileManager.default.fileExists(atPath: parent) else {
      throw Failure(
        .unusable, what: what, subject: path, why: "There is no folder \(parent).",
        remedy: "Check the path, or make the folder.")
    }
    let folder = try replacing(what, path) {
      try FileSystem.realPath(parts.count == 1 ? "." : parent.isEmpty ? "/" : parent)
    }
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }
}
