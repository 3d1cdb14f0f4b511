package import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem

/// One backup, or several of the stores of one application that were made together.
///
/// A single backup is a folder with a manifest; several are such folders in one, with a list of
/// them that is written last.
package struct BackupSet: Sendable, Hashable {
  /// The folder.
  package let path: String
  package let parts: [StoreBackup]

  private static let what = "cannot make the backup"
  /// The name of the list in a folder of several.
  static let listName = "backups.json"
  private static let format: Int64 = 1
  /// What the folder is called until everything is in it: a name that a killed process leaves, and
  /// the same command removes.
  private static let unfinished = ".pipeline-part"

  /// Whether a folder has the manifest of a backup, or the list of several.
  package static func isThere(_ path: String) -> Bool {
    [StoreBackup.manifestName, listName].contains { name in
      (try? FileEntry.at("\(path)/\(name)"))?.isRegular == true
    }
  }

  /// Copies stores that others may be using to a new folder, and reads the copies again.
  ///
  /// All stores are held before the first is copied, so that they fit together. `check` is asked
  /// between two files whether to continue, and `accept` whether the copies are what they should
  /// be: when one throws, nothing is left.
  ///
  /// - Throws: ``Failure`` of kind `busy` when another process writes to one for longer than
  ///   `wait`.
  package static func make(
    of stores: [StoreFiles], at place: String, run: String, wait: Duration,
    check: () throws -> Void = {}, accept: ([StoreBackup]) throws -> Void = { _ in }
  ) throws -> BackupSet {
    let place = try StorePath.resolved(place, making: true)
    return try replacing(what, place) {
      let part = place + unfinished
      try refuse(place)
      try FileMoves.removeTree(part)
      do {
        try copy(stores, to: part, run: run, wait: wait, check)
        try accept(read(part).parts)
        try refuse(place)
        try FileMoves.rename(part, to: place)
      } catch {
        try? FileMoves.removeTree(part)
        throw error
      }
      return try read(place)
    }
  }

  private static func copy(
    _ stores: [StoreFiles], to part: String, run: String, wait: Duration,
    _ check: () throws -> Void
  ) throws {
    let held = try stores.map { files in
      (files, try replacing(what, files.path) { try SteadyStore(files, wait: wait) })
    }
    defer { for (_, store) in held { try? store.close() } }
    try FileSystem.makeFolder(part)
    if held.count == 1 {
      try StoreBackup.make(of: held[0].1, held[0].0, in: part, run: run, check)
    } else {
      try copy(held, to: part, run: run, check)
    }
  }

  private static func copy(
    _ held: [(StoreFiles, SteadyStore)], to part: String, run: String, _ check: () throws -> Void
  ) throws {
    var names: [String] = []
    for (files, store) in held {
      var name = files.name
      while names.contains(name) { name += "-2" }
      names.append(name)
      try FileSystem.makeFolder("\(part)/\(name)")
      try StoreBackup.make(of: store, files, in: "\(part)/\(name)", run: run, check)
    }
    let list = JSONRecord.seal([
      .init("format", .integer(format)), .init("backups", .array(names.map(JSONValue.string))),
    ])
    try FileMoves.write(Array((list.text(.pretty) + "\n").utf8), to: "\(part)/\(listName)")
  }

  private static func refuse(_ place: String) throws {
    guard try FileEntry.at(place) != nil else { return }
    throw Failure(
      .unusable, what: what, subject: place, why: "Something is there already.",
      remedy: "Give another path, or move it away.")
  }

  /// The backups in a folder.
  ///
  /// - Throws: ``Failure`` when there is no manifest and no list, or none to be believed.
  package static func read(_ path: String) throws -> BackupSet {
    let list = "\(path)/\(listName)"
    let bytes = try replacing("cannot use the backup", path) {
      guard try FileEntry.at(path) != nil else {
        throw Failure.missing(what: "cannot use the backup", subject: path)
      }
      return try FileSystem.start(of: list, count: 1 << 20)
    }
    guard let bytes else { return BackupSet(path: path, parts: [try StoreBackup.read(path)]) }
    guard let names = try? names(in: bytes) else {
      throw Failure(
        .unusable, what: "cannot use the backup", subject: list, why: "The list is damaged.",
        remedy: "Name one of the folders next to it.")
    }
    return BackupSet(path: path, parts: try names.map { try StoreBackup.read("\(path)/\($0)") })
  }

  private static func names(in bytes: [UInt8]) throws -> [String] {
    let limits = FormatLimits(bytes: 1 << 20, nodes: 100_000, depth: 8)
    let record = try JSONRecord(sealed: JSONValue(reading: bytes, limits: limits))
    let names = try record.strings("backups")
    // They become paths: none leads out of the folder.
    guard try record.integer("format") == format, !names.isEmpty,
      names.allSatisfy({ !$0.utf8.contains(UInt8(ascii: "/")) && $0 != ".." && $0 != "." })
    else { throw JSONRecord.Unusable() }
    return names
  }

  /// The backup of a store: by its path, or else by its file's name.
  ///
  /// - Throws: ``Failure`` with the backups there are, when none or several could be meant.
  package func part(for store: String) throws -> StoreBackup {
    if parts.count == 1 { return parts[0] }
    let name = store.split(separator: "/").last
    for candidates in [
      parts.filter { $0.store == store },
      parts.filter { $0.store.split(separator: "/").last == name },
    ] where candidates.count == 1 {
      return candidates[0]
    }
    throw Failure(
      .unusable, what: "cannot use the backup", subject: path,
      why: "It is of \(parts.count) stores, and none or more than one could be meant.",
      remedy: "Name one of its folders: " + parts.map(\.path).joined(separator: ", "))
  }
}
