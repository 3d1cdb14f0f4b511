internal import Foundation
internal import OperatingSystem
package import SQLite

/// The files that make up one store: the main file and what lies next to it under the same name.
package struct StoreFiles: Hashable, Sendable {
  /// The main file, with every symbolic link in its path resolved.
  package let path: String
  /// The length of the main file.
  package let bytes: Int64
  /// The length of the `-wal`, nil when there is none; it may hold most of the rows.
  package let walBytes: Int64?
  /// The length of the `-journal`, nil when there is none; a crash leaves one behind.
  package let journalBytes: Int64?
  /// The length of the `-shm`, nil when there is none; it is rebuilt whenever it is missing.
  package let sharedMemoryBytes: Int64?
  /// How many more names the main file has: under those its `-wal` would not be found.
  package let otherNames: Int
  /// The same in words: "another name (a hard link)".
  package var otherNamesText: String {
    otherNames == 1 ? "another name (a hard link)" : "\(otherNames) other names (hard links)"
  }
  /// Whether files may be made next to the main file.
  package let isFolderWritable: Bool

  /// Finds the files of a store; none is opened.
  ///
  /// - Throws: ``Failure`` when there is no file, or something else than one.
  package init(_ path: String) throws {
    let (resolved, entry) = try Self.find(path)
    self.path = resolved
    bytes = entry.size
    otherNames = max(0, entry.links - 1)
    do {
      walBytes = try FileEntry.at(resolved + "-wal")?.size
      journalBytes = try FileEntry.at(resolved + "-journal")?.size
      sharedMemoryBytes = try FileEntry.at(resolved + "-shm")?.size
    } catch {
      throw Failure(error, what: Self.what, subject: path)
    }
    isFolderWritable = FileSystem.mayWrite(Self.parent(of: self.path))
  }

  /// The path of a store's main file, every link resolved, where nothing else is asked of it.
  ///
  /// - Throws: ``Failure`` when there is no file, or something else than one.
  package static func path(of path: String) throws -> String { try find(path).path }

  private static func find(_ path: String) throws -> (path: String, entry: FileEntry) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw Self.failure(path, "A path must not be empty and must not contain a NUL.")
    }
    do {
      let resolved = try FileSystem.realPath(path)
      guard let entry = try FileEntry.at(resolved) else {
        throw Self.missing(path)
      }
      guard entry.isRegular else {
        let kind = ModelFile.Kind(rawValue: URL(filePath: resolved).pathExtension.lowercased())
        guard kind == nil, entry.isFolder else {
          throw Self.failure(
            resolved,
            kind != nil ? "It is a model, and not a store." : "It is not a regular file.")
        }
        throw Self.folder(path, resolved)
      }
      return (resolved, entry)
    } catch let error as SystemError {
      throw error.isMissing ? Self.missing(path) : Failure(error, what: Self.what, subject: path)
    }
  }

  /// Whether a regular file is there that begins as SQLite's do, whatever its name.
  package static func isStore(_ path: String) -> Bool {
    guard !path.utf8.contains(0), let resolved = try? FileSystem.realPath(path),
      (try? FileEntry.at(resolved))?.isRegular == true,
      let start = try? FileSystem.start(of: resolved, count: DatabaseHeader.length)
    else { return false }
    return DatabaseHeader.hasMagic(start)
  }

  /// Whether anything is at the path, or where the link at the path leads.
  package static func isThere(_ path: String) throws -> Bool {
    guard !path.isEmpty, !path.utf8.contains(0) else { return false }
    do {
      return try FileEntry.at(FileSystem.realPath(path)) != nil
    } catch  where error.isMissing {
      return false
    } catch {
      throw Failure(error, what: Self.what, subject: path)
    }
  }

  private static let what = "cannot open the store"

  private static let mostOthers = 200

  private static func missing(_ path: String) -> Failure {
    var failure = Failure.missing(what: what, subject: path)
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      failure.why = "It is a link to \(target), and there is no such file."
      failure.remedy = "Give the path of the store itself, or correct the link."
    }
    let url = URL(filePath: path)
    let others = (try? FileSystem.names(in: url.deletingLastPathComponent().path)) ?? []
    // Each would be opened, for each store that is missing; in a fleet's folder all names are near.
    guard others.count <= mostOthers else { return failure }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let stores = others.filter { isStore(folder + $0) }.sorted()
    // All endings are alike: without them two names are as far apart as they look.
    func stem(_ name: String) -> String {
      URL(filePath: name).deletingPathExtension().lastPathComponent
    }
    if let near = NearestName.of(stem(path), among: stores.map(stem)),
      let store = stores.first(where: { stem($0) == near })
    {
      failure.remedy += " Did you mean \(folder + store)?"
    }
    return failure
  }

  /// A folder in the place of a store: it may have stores in it.
  private static func folder(_ path: String, _ resolved: String) -> Failure {
    var failure = failure(resolved, "It is a folder.")
    let names = (try? FileSystem.names(in: path)) ?? []
    let folder = path.hasSuffix("/") ? path : path + "/"
    if let store = names.filter({ isStore(folder + $0) }).min() {
      let ending = URL(filePath: store).pathExtension
      let all = "\(folder)*\(ending.isEmpty ? "" : "." + ending)"
      failure.remedy =
        "Name the store in it, \(folder + store); `run` and `upgrade` take several, as \(all), "
        + "or a list with --stores-from."
      return failure
    }
    let ending = ".pipeline"
    let bare = path.hasSuffix("/") ? String(path.dropLast()) : path
    let store = bare.hasSuffix(ending) ? String(bare.dropLast(ending.count)) : bare + ".sqlite"
    if isStore(store) {
      failure.remedy = "Did you mean the store next to it, \(store)?"
      return failure
    }
    let seen = names.filter { !$0.hasPrefix(".") }.sorted()
    let rest = seen.count > 3 ? " and \(seen.count - 3) more" : ""
    let list = seen.prefix(3).joined(separator: ", ") + rest
    failure.why =
      "It is a folder, and no store is in it" + (seen.isEmpty ? "." : "; in it: \(list).")
    failure.remedy = "Give the path of the store's own file, as \(folder)Name.sqlite."
    return failure
  }

  private static func failure(_ path: String, _ why: String) -> Failure {
    Failure(.unusable, what: what, subject: path, why: why, remedy: "Check the path.")
  }

  /// A connection to a small store, which is read into memory; nil for a larger one, for one with a
  /// journal that a crash left, and where another process writes all the time.
  ///
  /// Nothing is made next to it.
  package func loaded() throws(SQLiteError) -> Connection? {
    guard (journalBytes ?? 0) == 0, DatabaseFile.canBeLoaded(bytes: bytes + (walBytes ?? 0)) else {
      return nil
    }
    do {
      return try Connection(path: path, mode: .loaded)
    } catch {
      guard error.isBusy else { throw error }
      return nil
    }
  }

  /// The folder the main file is in.
  package var folder: String { Self.parent(of: path) }

  /// The name of the main file.
  package var name: String { String(path.dropFirst(folder == "/" ? 1 : folder.count + 1)) }

  /// The folder of what Core Data keeps outside the database: `.<name>_SUPPORT` next to it.
  package var supportFolder: String { Self.supportFolder(of: path) }

  /// The same for a file that need not be there.
  package static func supportFolder(of path: String) -> String {
    let folder = parent(of: path)
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return "\(folder == "/" ? "" : folder)/.\(stem)_SUPPORT"
  }

  /// The folder of attributes that are stored as files, each named by a UUID.
  package var externalDataFolder: String { Self.externalDataFolder(of: path) }

  /// The same for a file that need not be there.
  package static func externalDataFolder(of path: String) -> String {
    supportFolder(of: path) + "/_EXTERNAL_DATA"
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
