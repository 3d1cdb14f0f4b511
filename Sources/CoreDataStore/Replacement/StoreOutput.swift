/// The new store at a place of its own, for runs that leave the old one as it is.
package enum StoreOutput {
  private static let what = "cannot put the new store there"

  /// Copies the staged store with its large values; nothing that is there is written over.
  ///
  /// The main file comes last, under its name at once: what has that name is whole.
  package static func place(_ folder: RunFolder, at output: String) throws {
    try replacing(what, output) {
      let output = try resolved(output)
      let target = Place(output)
      try refuse(output, target)
      let old = try StoreFiles(folder.store)
      try copyBlobs(folder, old, to: target)
      try FileMoves.copyWhole(folder.nextPath, to: output, like: folder.store)
    }
  }

  /// The path with the links of its folder resolved.
  private static func resolved(_ output: String) throws -> String {
    let parts = output.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty, name != ".", name != ".." else {
      throw StoreError(
        .unusable, what: what, subject: output, why: "It is no name of a file.",
        remedy: "Give the path of the file that is to be made.")
    }
    let parent = parts.dropLast().joined(separator: "/")
    let folder = try FileSystem.realPath(
      parts.count == 1 ? "." : parent.isEmpty ? "/" : parent)
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  private static func refuse(_ output: String, _ target: Place) throws {
    for path in [output, output + "-wal", output + "-journal", output + "-shm", target.support]
    where try FileEntry.at(path) != nil {
      throw StoreError(
        .unusable, what: what, subject: path, why: "Something is there already.",
        remedy: "Give another path, or move it away.")
    }
  }

  private static func copyBlobs(
    _ folder: RunFolder, _ old: StoreFiles, to target: Place
  ) throws {
    let needed = try StagedContent.references(folder)
    let new = Set(try ExternalFolder.names(in: folder.nextExternals))
    let kept = Set(try ExternalFolder.names(in: old.externalDataFolder))
    let names = needed.filter { new.contains($0) || kept.contains($0) }.sorted()
    if names.isEmpty { return }
    try FileSystem.makeFolder(target.support)
    try FileSystem.makeFolder(target.externals)
    for name in names {
      let source = "\(new.contains(name) ? folder.nextExternals : old.externalDataFolder)/\(name)"
      try FileMoves.copyWhole(source, to: "\(target.externals)/\(name)", like: folder.store)
    }
    try FileMoves.sync(folder: target.support)
    try FileMoves.sync(folderOf: target.support)
  }

  /// The folders beside a store that is not there yet.
  private struct Place {
    let support: String
    var externals: String { support + "/_EXTERNAL_DATA" }

    init(_ output: String) {
      let folder = FileMoves.folder(of: output)
      let name = output.split(separator: "/").last.map(String.init) ?? ""
      let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
      support = "\(folder == "/" ? "" : folder)/.\(stem)_SUPPORT"
    }
  }
}
