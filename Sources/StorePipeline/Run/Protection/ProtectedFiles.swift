package import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import StoreReplacement

/// What must not be written to: stores and what belongs to them, backups, and what is read.
///
/// Whatever writes to a path of the user's choice asks here first. Files are compared by device and
/// number, so that links, hard links and other spellings are the same, and by their resolved path
/// where nothing is yet.
package struct ProtectedFiles: Sendable {
  private struct Entry {
    let place: FilePlace
    /// What it is: "the store Notes.sqlite".
    let what: String
    var isWork = false
  }

  private var entries: [Entry] = []

  /// Nothing yet but backups, which are known by what is in them.
  package init() {}

  /// Protects a store and what belongs to it, be it there or not.
  package mutating func protect(store path: String, work: String? = nil) {
    let main = FilePlace(path)
    // Some commands take a model in place of a store.
    if main.isFolder { return protect(input: path) }
    entries.append(Entry(place: main, what: "the store \(path)"))
    let parts = Self.suffixes.map { main.path + $0 }
    for part in parts + [StoreFiles.supportFolder(of: main.path)] {
      entries.append(Entry(place: FilePlace(part), what: "a part of the store \(path)"))
    }
    for folder in [WorkFolder.usualWork(of: main.path), work].compactMap(\.self) {
      entries.append(
        Entry(place: FilePlace(folder), what: "the work folder of \(path)", isWork: true))
    }
  }

  /// Protects a file that is read, or a model's folder.
  package mutating func protect(input path: String) {
    let place = FilePlace(path)
    // Of another folder only what is named is read.
    if place.isFolder, !Self.models.contains(where: place.path.hasSuffix) { return }
    entries.append(Entry(place: place, what: "what this command reads: \(path)"))
  }

  /// What SQLite adds to a file's name for the files next to it.
  static let suffixes = ["-wal", "-shm", "-journal"]
  private static let models = [".xcdatamodeld", ".xcdatamodel", ".momd", ".xcmappingmodel"]

  /// Protects the files that a pipeline names.
  package mutating func protect(_ pipeline: Pipeline, stages: StageRegistry = .standard) {
    let stages = stages.with(pipeline.plugins.map(\.stage))
    let read = pipeline.stages.flatMap { stage, _ in
      stages[stage.name]?.filesRead(by: stage) ?? []
    }
    protect(input: pipeline.file)
    for path in pipeline.models + pipeline.plugins.map(\.path) + read {
      protect(input: pipeline.resolve(path))
    }
  }

  /// Refuses a file that must not be written to.
  ///
  /// - Throws: `Failure` that says who names the file, and what it is.
  package func check(_ file: WrittenFile) throws(Failure) {
    for place in file.places {
      for entry in entries where place.isWithin(entry.place) {
        // The work folder is the one place that belongs to the store and may be chosen.
        if entry.isWork, file.form == .work, place.isSame(as: entry.place) { continue }
        throw Self.failure(file, "\(Self.relation(place, entry.place)) \(entry.what).")
      }
      try Self.checkBackup(file, place)
    }
    try checkSupport(of: file)
    if [.new, .events].contains(file.form) { try Self.checkFolder(of: file) }
    let place = FilePlace(file.path)
    // "-wal" and the like belong to a file by their names alone, whether or not it was named.
    for suffix in Self.suffixes where place.path.hasSuffix(suffix) {
      let main = FilePlace(String(place.path.dropLast(suffix.count)))
      guard main.isRegular else { continue }
      throw Self.failure(file, "SQLite would take it for a part of \(main.path).")
    }
    if file.form == .work, place.isThere, !place.isFolder {
      throw Self.failure(file, "It is there already, and is no folder.")
    }
    if file.form == .work, WorkFolder.isForeign(place) {
      throw Self.failure(file, "Its folder run is not of this program.")
    }
    guard file.isOfThisKind else {
      throw Self.failure(
        file,
        file.form == .events
          ? "It is there already, and its first line is no event."
          : "It is there already, and holds something else.")
    }
  }

  /// Refuses a file in a folder that is not there, before anything is done for it.
  package static func checkFolder(of file: WrittenFile) throws(Failure) {
    guard file.path.contains("/"), !file.path.hasSuffix("/") else { return }
    let folder = FileSystem.folder(of: file.path)
    guard !FilePlace(folder).isFolder else { return }
    throw Failure(
      .misuse, what: "cannot write to the path of \(file.name)", subject: file.path,
      why: "There is no folder \(folder).",
      remedy: "Make the folder, or give \(file.name) another path; nothing was changed.")
  }

  /// The large values of a new store must not come to lie among those of another.
  private func checkSupport(of file: WrittenFile) throws(Failure) {
    guard file.form == .store else { return }
    let support = FilePlace(StoreFiles.supportFolder(of: FilePlace(file.path).path))
    for entry in entries where support.isThere && support.isSame(as: entry.place) {
      throw Self.failure(file, "Its external values would be put into \(entry.what).")
    }
  }

  /// Refuses to change a store that is a backup's own file, or to keep a run's files in a backup.
  ///
  /// - Throws: `Failure` that names the backup.
  package static func refuseBackup(
    store: String, work: String?, isReplaced: Bool = true
  ) throws(Failure) {
    let main = FilePlace(store)
    let work = FilePlace(work ?? WorkFolder.usualWork(of: main.path))
    let places = isReplaced ? [main, work] : [work]
    guard let backup = StoreBackup.folder(around: places) else { return }
    throw Failure(
      .misuse, what: "cannot change the store", subject: store,
      why: "It is a file of the backup \(backup).",
      remedy: "Make a store of the backup first: pipeline restore \(ShellWord.quoted(backup)) "
        + "Copy.sqlite")
  }

  private static func checkBackup(_ file: WrittenFile, _ place: FilePlace) throws(Failure) {
    guard let backup = StoreBackup.folder(around: place) else { return }
    throw failure(file, "\(relation(place, FilePlace(backup))) the backup \(backup).")
  }

  private static func relation(_ place: FilePlace, _ other: FilePlace) -> String {
    place.isSame(as: other) ? "It is" : "It is in"
  }

  private static func failure(_ file: WrittenFile, _ why: String) -> Failure {
    Failure(
      .misuse, what: "cannot write to the path of \(file.name)", subject: file.path, why: why,
      remedy: "Give \(file.name) another path; nothing was changed.")
  }
}
