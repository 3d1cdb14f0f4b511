internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// What other stores need of the folder in which a store keeps its large values.
///
/// The folder is named after the store's file without its extension: `Notes.sqlite` and a copy of
/// it that is called `Notes.bak` share `.Notes_SUPPORT`. It does not find stores in other folders.
struct SharedExternals {
  /// A store that shares the folder.
  private struct Sharer {
    let name: String
    /// The files that it refers to; nil when that cannot be found out.
    var needed: Set<String>?
    /// Why not.
    var problem = ""
  }

  private var sharers: [Sharer] = []
  private let place: String

  /// Looks for stores next to a store and reads what they refer to.
  ///
  /// None of them is opened to be written, and one that this process has open is not touched. A
  /// store that cannot be read where it is gets cloned into the folder `scratch`.
  init(_ files: StoreFiles, clonesIn scratch: String) {
    place = files.externalDataFolder
    do {
      let own = try FileEntry.at(files.path)?.identity
      for name in try Self.names(sharing: files) {
        let path = "\(files.folder == "/" ? "" : files.folder)/\(name)"
        guard try Self.isDatabase(path, besides: own) else { continue }
        sharers.append(Self.sharer(name, path, scratch))
      }
    } catch {
      sharers.append(Sharer(name: files.folder, problem: Self.reason(error)))
    }
  }

  /// Whether a file is needed, or may be.
  func keeps(_ name: String) -> Bool { sharers.contains { $0.needed?.contains(name) ?? true } }

  /// Says which stores need how many of these files; nil when none does.
  func warning(of names: [String]) -> String? {
    let count = names.count(where: keeps)
    guard count > 0 else { return nil }
    let files = count == 1 ? "1 file" : "\(count) files"
    let what = "\(files) of large values that the store no longer needs stay in \(place)"
    let unread = sharers.filter { $0.needed == nil }
    if let first = unread.first {
      return "\(what): \(list(unread)) may need them and cannot be read. \(first.problem)"
    }
    let users = sharers.filter { $0.needed?.isDisjoint(with: names) == false }
    return "\(what): \(list(users)) in the same folder refers to them."
  }

  private func list(_ sharers: [Sharer]) -> String {
    let names = sharers.map(\.name)
    let more = names.count > Self.mostNames ? " and \(names.count - Self.mostNames) more" : ""
    return names.prefix(Self.mostNames).joined(separator: ", ") + more
  }

  private static let mostNames = 10
}

// The search.
extension SharedExternals {
  /// The names next to a store whose large values would be in its folder.
  ///
  /// The file system says whether two spellings name one folder: not each distinguishes upper case
  /// from lower.
  private static func names(sharing files: StoreFiles) throws -> [String] {
    var folders: [String: Bool] = [:]
    var names: [String] = []
    let place = try FileSystem.realPath(files.externalDataFolder)
    try FileSystem.forEachName(in: files.folder) { name in
      // SQLite locks a -shm: closing a descriptor of it would drop the locks (POSIX, fcntl).
      guard !["-wal", "-shm", "-journal"].contains(where: name.hasSuffix) else { return }
      let other = StoreFiles.supportFolder(of: "\(files.folder)/\(name)") + "/_EXTERNAL_DATA"
      let isSame = folders[other] ?? ((try? FileSystem.realPath(other)) == place)
      folders[other] = isSame
      if isSame, name != files.name { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a file is an SQLite database, or one that cannot be looked into; the store itself
  /// under another name is none.
  private static func isDatabase(_ path: String, besides own: FileIdentity?) throws -> Bool {
    guard try StoreFiles.isThere(path), let entry = try FileEntry.at(FileSystem.realPath(path)),
      entry.isRegular, entry.identity != own
    else { return false }
    do {
      _ = try DatabaseFile.examine(path)
      return true
    } catch  where error.refusal == .empty || error.refusal == .notADatabase {
      // A file that has a log or a journal is a database, whatever can be read of it.
      return try ["-wal", "-journal"].contains { suffix in
        guard let entry = try FileEntry.at(path + suffix) else { return false }
        return entry.isRegular && entry.size > 0
      }
    } catch {
      return true
    }
  }

  private static func sharer(_ name: String, _ path: String, _ scratch: String) -> Sharer {
    do {
      return Sharer(name: name, needed: try references(of: path, scratch))
    } catch {
      return Sharer(name: name, problem: reason(error))
    }
  }

  private static func references(of path: String, _ scratch: String) throws -> Set<String> {
    let opening = StoreOpening(
      files: try StoreFiles(path), temporaryFolder: scratch, copiesBelow: Store.copiesBelow)
    let (connection, clone) = try opening.open(.store)
    return try withExtendedLifetime(clone) {
      defer { try? connection.close() }
      // A damaged file may have lost references without an error.
      _ = try opening.check(connection, readsAll: true)
      return try opening.reading(
        "cannot read the references", limit: .seconds(86_400), connection
      ) { try ExternalFolder.references(in: connection) }
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as Failure: error.why
    case let error as SystemError: "\(error.message)."
    default: "\(error)"
    }
  }
}
