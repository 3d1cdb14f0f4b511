package import CoreDataStore
internal import Foundation
internal import OperatingSystem

/// One store of many, and the options of its run.
///
/// There may be a hundred thousand: what they have in common is there once, and the rest is worked
/// out when it is asked for.
package struct FleetStore: Sendable {
  /// The words that resume the run of a store with these options.
  package typealias Command = @Sendable (_ path: String, _ options: RunOptions) -> [String]

  /// A path as the disk knows it: a Swift text is equal to another one of the same characters,
  /// however these are composed.
  private typealias Path = [UInt8]
  /// The names of stores, by folder and path.
  private typealias Kept = [String: [Path: String]]

  /// The options of all, in which the places are folders, and what the command of one is.
  private final class Shared: Sendable {
    let options: RunOptions
    let command: Command?
    /// The names of stores in a folder where they are not those of the list.
    let kept: Kept

    init(_ options: RunOptions, _ command: Command? = nil, kept: Kept = [:]) {
      (self.options, self.command, self.kept) = (options, command, kept)
    }
  }

  /// The store's path, as it was given.
  package var path: String
  /// The part of the path that distinguishes it; nil where it has no places of its own.
  private let name: String?
  private var shared: Shared

  /// A store and the options of its run.
  package init(_ path: String, _ options: RunOptions = RunOptions()) {
    (self.path, name, shared) = (path, nil, Shared(options))
  }

  private init(_ path: String, named name: String?, _ shared: Shared) {
    (self.path, self.name, self.shared) = (path, name, shared)
  }

  /// The options of its run; the places in it are the store's own.
  package var options: RunOptions {
    get {
      var options = shared.options
      if let name {
        options.output = options.output.map { place(name, in: $0) }
        options.report = options.report.map { place(name, in: $0) + ".html" }
        let kept = options.dryRun?.keep
        options.dryRun?.keep = kept.map { place(name, in: $0) }
        options.work = options.work.map { place(name, in: $0) + ".pipeline" }
      }
      if let command = shared.command { options.command = command(path, options) }
      return options
    }
    set { self = Self(path, newValue) }
  }

  /// Stores that are to be migrated in one go.
  ///
  /// In a folder of outputs, reports or work folders, each store has the part of its path that
  /// distinguishes it from the others: stores of one folder their names, `a/Notes.sqlite` and
  /// `b/Notes.sqlite` all of it. One that an earlier command has given a place there keeps it, see
  /// ``keepPlaces(of:)``; where that is the place of another store, a new one has its whole path.
  ///
  /// - Parameters:
  ///   - paths: The stores' paths.
  ///   - options: The options of all runs; `output`, `report`, `work` and what a dry run keeps name
  ///     folders.
  ///   - all: The paths of all stores of which these are a part: their places must be the same
  ///     in whatever part they are. These unless given.
  ///   - command: Makes the words of each store's options; those of all unless given.
  /// - Returns: The stores, in the order of their paths.
  /// - Throws: `Failure` when a store is named twice, or what a folder says of places cannot be
  ///   read.
  package static func list(
    _ paths: [String], _ options: RunOptions = RunOptions(), among all: [String]? = nil,
    command: Command? = nil
  ) throws(Failure) -> [FleetStore] {
    let all = all ?? paths
    // Two names of one store may be in different parts, which run at the same time.
    try refuseDoubles(all)
    guard !places(options).isEmpty else {
      let shared = Shared(options, command)
      return paths.map { FleetStore($0, named: nil, shared) }
    }
    let allNames = names(of: all)
    let shared = Shared(options, command, kept: try kept(all, allNames, options))
    let byPath = Dictionary(zip(all.map { Path($0.utf8) }, allNames)) { name, _ in name }
    return paths.map { FleetStore($0, named: byPath[Path($0.utf8)] ?? $0, shared) }
  }

  /// The names that are not those of the list.
  private static func kept(
    _ paths: [String], _ names: [String], _ options: RunOptions
  ) throws(Failure) -> Kept {
    var kept: Kept = [:]
    for folder in places(options) {
      let known = try FleetPlaces(in: folder)
      guard !known.isEmpty else { continue }
      for (path, name) in zip(paths, names) {
        let store = JSONRunSummary.path(of: path)
        // Stores that were moved, or are seen from another machine, have other paths now.
        let isTaken = known.owners[name].map { FileManager.default.fileExists(atPath: $0) } == true
        let other = known.name(of: store) ?? (isTaken ? String(store.drop { $0 == "/" }) : name)
        if other != name { kept[folder, default: [:]][Path(path.utf8)] = other }
      }
    }
    return kept
  }

  /// Notes the places of stores in the folders that have them: they stay the same in whatever list
  /// the stores are named next.
  ///
  /// - Throws: `Failure` when a folder cannot be written to.
  package static func keepPlaces(of stores: [FleetStore]) throws(Failure) {
    guard let options = stores.first?.shared.options else { return }
    for folder in places(options) {
      var names: [(store: String, name: String)] = []
      for store in stores {
        guard let name = store.name else { continue }
        names.append((JSONRunSummary.path(of: store.path), store.kept(name, in: folder)))
      }
      try FleetPlaces.keep(names, in: folder)
    }
  }

  private static func places(_ options: RunOptions) -> [String] {
    [options.output, options.report, options.work, options.dryRun?.keep].compactMap(\.self)
  }

  /// Makes the folders that its places are in.
  ///
  /// - Throws: `Failure` when one cannot be made.
  package func makeFolders() throws {
    for place in Self.places(options) { try Self.makeFolder(of: place) }
  }

  private static func makeFolder(of path: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure.unwritten(what: "cannot make the folder", folder.path, error)
    }
  }

  private func place(_ name: String, in folder: String) -> String {
    let name = kept(name, in: folder)
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private func kept(_ name: String, in folder: String) -> String {
    shared.kept[folder]?[Path(path.utf8)] ?? name
  }

  /// The paths without the folder that they have in common.
  private static func names(of paths: [String]) -> [String] {
    let parts = paths.map { URL(filePath: $0).absoluteURL.standardizedFileURL.pathComponents }
    let folders = parts.map { $0.dropLast() }
    let common = folders.dropFirst().reduce(folders.first ?? []) { common, folder in
      common.prefix(zip(common, folder).prefix { $0 == $1 }.count)
    }
    return parts.map { $0.dropFirst(common.count).joined(separator: "/") }
  }

  /// Two runs of one store would wait for each other, or the second would undo the first.
  private static func refuseDoubles(_ paths: [String]) throws(Failure) {
    var seen: [String: String] = [:]
    var doubles: [(path: String, other: String)] = []
    for path in paths {
      let file = identity(of: path)
      if let other = seen[file] { doubles.append((path, other)) }
      seen[file] = seen[file] ?? path
    }
    guard let (path, other) = doubles.first else { return }
    // Who has ten thousand stores does not want to be corrected name by name.
    let more = doubles.count > 1 ? " In all, \(doubles.count) names are repetitions." : ""
    throw Failure(
      .misuse, what: "cannot run several stores", subject: path,
      why: (other == path ? "It is named twice." : "It is the same file as \(other).") + more,
      remedy: "Name each store once; none was touched.")
  }

  /// What a path has in common with all others that lead to the same file.
  private static func identity(of path: String) -> String {
    let resolved = FileSystem.resolved(path)
    // A file that is not there is reported by its own run.
    guard let file = (try? FileEntry.at(resolved))?.identity else { return resolved }
    return "\(file.device):\(file.inode)"
  }
}
