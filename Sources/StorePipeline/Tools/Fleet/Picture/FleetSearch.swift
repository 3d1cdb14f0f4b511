internal import CoreDataStore
internal import Foundation
internal import OperatingSystem

extension FleetPicture {
  /// What there is to look at: stores, and what says how their runs ended.
  package struct Search: Sendable {
    /// The stores' paths, links resolved, each once.
    package private(set) var stores: [String] = []
    /// The stores' paths as they lie below those that were given.
    private(set) var shown: [String: String] = [:]
    /// Files that may be reports of runs, summaries or events.
    package private(set) var reports: [String] = []
    /// Work folders that are not next to their store.
    package private(set) var works: [String] = []
    /// Folders below the given ones that cannot be read, and why.
    package private(set) var unseen: [String] = []

    private var seen: Set<FileIdentity> = []

    /// Finds what is below folders; a file is what it is by its name and its first bytes.
    ///
    /// Only names are read, but for files whose names say nothing. Links in a folder are not
    /// followed, and folders whose names begin with a dot hold no stores.
    ///
    /// - Throws: `Failure` when one of the paths is not there or cannot be read.
    package init(_ paths: [String]) throws {
      for path in paths {
        do {
          let resolved = try FileSystem.realPath(path)
          guard let entry = try FileEntry.at(resolved) else { continue }
          if entry.isFolder {
            try search(resolved, path.hasSuffix("/") ? String(path.dropLast()) : path)
          } else {
            add(resolved, path, entry, isNamed: true)
          }
        } catch let error as SystemError {
          throw Failure(error, what: "cannot look at the stores", subject: path)
        }
      }
    }

    /// One folder that cannot be read is no reason to show none of the others.
    private mutating func searchBelow(_ folder: String, _ given: String) throws {
      do {
        try search(folder, given)
      } catch let error as SystemError {
        unseen.append("\(given): \(error.words).")
      }
    }

    private mutating func search(_ folder: String, _ given: String) throws {
      try Task.checkCancellation()
      guard !Self.isWork(folder) else { return works.append(folder) }
      let names = try FileSystem.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
      let all = Set(names)
      let isBackup = all.contains("manifest.json")
      for name in names {
        let path = "\(folder)/\(name)"
        guard let entry = try FileEntry.at(path) else { continue }
        if entry.isRegular {
          if isBackup, (try? ProtectedFiles.refuseBackup(store: path, work: nil)) == nil {
            continue
          }
          add(path, "\(given)/\(name)", entry, hasWork: all.contains(name + Self.work))
        } else if entry.isFolder, !Self.isPart(name) {
          guard name.hasSuffix(Self.work) else {
            try searchBelow(path, "\(given)/\(name)")
            continue
          }
          if !all.contains(String(name.dropLast(Self.work.count))) { works.append(path) }
        }
      }
    }

    private mutating func add(
      _ path: String, _ given: String, _ entry: FileEntry, hasWork: Bool = false,
      isNamed: Bool = false
    ) {
      let ending = Self.ending(path)
      let isKnown = hasWork || Self.storeEndings.contains(ending)
      let isReport = Self.reportEndings.contains(ending)
      guard isNamed || isKnown || isReport || Self.hasMagic(path) else { return }
      guard !Self.sideEndings.contains(where: path.hasSuffix), seen.insert(entry.identity).inserted
      else { return }
      if isReport, !hasWork { return reports.append(path) }
      stores.append(path)
      shown[path] = given
    }

    private static let work = ".pipeline"
    private static let storeEndings: Set = ["sqlite", "sqlite3", "store", "db"]
    private static let reportEndings: Set = ["html", "htm", "json", "jsonl", "events", "migrated"]
    private static let sideEndings = ["-wal", "-shm", "-journal"]

    /// Whether it is a work folder, whatever --work has called it: the stores in it are parts of a
    /// run, and backups.
    private static func isWork(_ folder: String) -> Bool {
      func isFile(_ name: String) -> Bool {
        (try? FileEntry.at("\(folder)/run/\(name)"))?.isRegular == true
      }
      // A run that was cut short early has its copy and not yet its state.
      return isFile("state.json") || isFile("lock") && isFile("source.sqlite")
    }

    /// A model's folder and a backup's have files of their own.
    private static func isPart(_ name: String) -> Bool {
      [".xcdatamodeld", ".xcdatamodel", ".momd", ".app"].contains { name.hasSuffix($0) }
    }

    private static func ending(_ path: String) -> String {
      let name = path.split(separator: "/").last ?? ""
      return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() }
        ?? ""
    }

    private static func hasMagic(_ path: String) -> Bool {
      let start = try? FileSystem.start(of: path, count: magic.count)
      return start == magic
    }

    /// How each database of SQLite begins (Database File Format, 1.3).
    private static let magic = Array("SQLite format 3\0".utf8)
  }
}
