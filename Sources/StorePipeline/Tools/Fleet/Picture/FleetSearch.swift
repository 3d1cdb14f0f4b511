internal import CoreDataStore
internal import Foundation
internal import OperatingSystem

extension FleetPicture {
  /// What there is to look at: stores, and what says how their runs ended.
  package struct Search: Sendable {
    /// The stores' paths, links resolved, each once.
    package private(set) var stores: [String] = []
    /// The same as they lie below the paths that were given.
    private(set) var shown: [String] = []
    /// Files that may be reports of runs, summaries or events.
    package private(set) var reports: [String] = []
    /// Work folders that are not next to their store.
    package private(set) var works: [String] = []
    /// Folders below the given ones that cannot be read, and why.
    package private(set) var unseen: [String] = []
    /// What was found and is not looked at, a sentence for each reason.
    package var leftOut: [String] { notTaken.sentences }

    private var notTaken = LeftOut()
    private var seen: Set<FileIdentity> = []
    /// The paths of files that have several names.
    private var names: Set<String> = []
    private var folders: Set<FileIdentity> = []
    private var links: [(path: String, given: String)] = []

    /// Finds what is below folders; a file is what it is by its name and its first bytes.
    ///
    /// Only names are read, but for files whose names say nothing. Links in a folder are not
    /// followed, and folders whose names begin with a dot are not searched: what may be a store
    /// there is counted.
    ///
    /// - Throws: `Failure` when one of the paths is not there or cannot be read.
    package init(_ paths: [String]) throws {
      for path in paths {
        do {
          let resolved = try FileSystem.realPath(path)
          guard let entry = try FileEntry.at(resolved) else { continue }
          if entry.isFolder {
            folders.insert(entry.identity)
            try search(resolved, path.hasSuffix("/") ? String(path.dropLast()) : path)
          } else {
            add(resolved, path, entry, isNamed: true)
          }
        } catch let error as SystemError {
          throw Failure(error, what: "cannot look at the stores", subject: path)
        }
      }
      for link in links where isUnseen(link.path) { notTaken.add(.link, link.given) }
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
      guard !Self.isWork(folder) else { return works.append(folder) }
      let names = try FileSystem.names(in: folder).sorted()
      let all = Set(names)
      let isBackup = all.contains("manifest.json")
      for name in names {
        try Task.checkCancellation()
        let (path, place) = ("\(folder)/\(name)", "\(given)/\(name)")
        guard let entry = try taken(name, path, place) else { continue }
        if entry.isRegular {
          if isBackup, (try? ProtectedFiles.refuseBackup(store: path, work: nil)) == nil {
            continue
          }
          add(path, place, entry, hasWork: all.contains(name + Self.work))
        } else if entry.isFolder, !Self.isPart(name) {
          guard name.hasSuffix(Self.work) else {
            folders.insert(entry.identity)
            try searchBelow(path, place)
            continue
          }
          if !all.contains(String(name.dropLast(Self.work.count))) { works.append(path) }
        }
      }
    }

    /// What has a name in a folder; nil where it is not looked at, which is noted.
    private mutating func taken(
      _ name: String, _ path: String, _ given: String
    ) throws(SystemError) -> FileEntry? {
      // The large values of a store are a part of it.
      if name.hasPrefix("."), name.hasSuffix("_SUPPORT") { return nil }
      guard let entry = try FileEntry.at(path) else {
        // Of bytes that are not UTF-8 this character is left, and nothing has the name that it is
        // in. Any other name is of a file that went meanwhile.
        let isSide = (Self.sideEndings + [Self.work]).contains { name.hasSuffix($0) }
        let isRepaired = name.unicodeScalars.contains("\u{FFFD}")
        if isRepaired, !isSide { notTaken.add(.unnamed, given) }
        return nil
      }
      if name.hasPrefix(".") {
        var isCounted = entry.isFolder
        if entry.isRegular, !Self.isSide(path) {
          isCounted = Self.storeEndings.contains(Self.ending(path))
          // One that may not be read is noted as such.
          if !isCounted { isCounted = isDatabase(path, given) }
        }
        if isCounted { notTaken.add(.hidden, given) }
        return nil
      }
      if entry.isLink { links.append((path, given)) }
      return entry.isLink ? nil : entry
    }

    /// Whether a link leads to what may be a store, or hold some, and was not found by itself.
    private func isUnseen(_ link: String) -> Bool {
      guard let target = try? FileSystem.realPath(link), let entry = try? FileEntry.at(target)
      else {
        // The disk that it leads to may not be there now.
        return Self.storeEndings.contains(Self.ending(link))
      }
      guard entry.isFolder else {
        return entry.isRegular && !seen.contains(entry.identity)
          && (Self.storeEndings.contains(Self.ending(link)) || Self.isStore(target))
      }
      let isOther = Self.isPart(target) || target.hasSuffix(Self.work) || Self.isWork(target)
      return !isOther && !folders.contains(entry.identity)
    }

    private mutating func add(
      _ path: String, _ given: String, _ entry: FileEntry, hasWork: Bool = false,
      isNamed: Bool = false
    ) {
      guard !Self.isSide(path) else { return }
      let ending = Self.ending(path)
      let isKnown = hasWork || Self.storeEndings.contains(ending)
      // Whatever it is called, a database is no report.
      let isReport = !isKnown && Self.reportEndings.contains(ending) && !Self.hasMagic(path)
      if !isNamed, !isKnown, !isReport, !isDatabase(path, given) { return }
      // A path that is given twice is no further name.
      let isNew = entry.links > 1 && !isReport && names.insert(path).inserted
      guard seen.insert(entry.identity).inserted else {
        if isNew { notTaken.add(.hardLink, given) }
        return
      }
      if isReport, entry.isRegular { return reports.append(path) }
      stores.append(path)
      shown.append(given)
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

    /// Whether a file begins as a store does; one that the user may not read is noted.
    private mutating func isDatabase(_ path: String, _ given: String) -> Bool {
      do throws(SystemError) {
        return try FileSystem.start(of: path, count: Self.magic.count) == Self.magic
      } catch {
        if error.isDenied { notTaken.add(.unreadable, given) }
        return false
      }
    }

    private static func hasMagic(_ path: String) -> Bool {
      let start = try? FileSystem.start(of: path, count: magic.count)
      return start == magic
    }

    /// Whether a file is a store's own, by its name or its first bytes.
    private static func isStore(_ path: String) -> Bool {
      !isSide(path) && (storeEndings.contains(ending(path)) || hasMagic(path))
    }

    private static func isSide(_ path: String) -> Bool {
      sideEndings.contains(where: path.hasSuffix)
    }

    /// How each database of SQLite begins (Database File Format, 1.3).
    private static let magic = Array("SQLite format 3\0".utf8)
  }
}
