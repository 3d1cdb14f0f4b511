package import CoreDataStore
package import OperatingSystem
package import SQLite

/// What a run knows of itself: enough to resume after any end.
///
/// It is written when the copy is there, after each step of a chain but the last, when the exchange
/// begins, and at the end. What happens in between shows by itself: a staged store by its content,
/// see `StoreBuilder.isWhole`, a backup by its manifest, the new store in place by its mark.
package struct RunState: Sendable, Hashable {
  /// How far a run is; what is written is true of what is safely on disk.
  package enum Phase: String, CaseIterable, Sendable, Comparable {
    /// The folder is there, the source not copied yet.
    case created
    /// The copy of the source is whole, and the new store is being made from it.
    case copying
    /// The new store is whole, and checked.
    case validated
    /// The backup of the old store is whole, and checked; or none is wanted.
    case backedUp
    /// The store may be the old one or the new one: its content shows which.
    case swapping
    /// The store is the new one.
    case swapped
    /// Nothing is left to do.
    case done

    package static func < (first: Phase, second: Phase) -> Bool { first.place < second.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The backup that a run made.
  package struct BackupRecord: Sendable, Hashable {
    /// Its folder.
    package var path: String
    /// The SHA-256 of its manifest.
    package var manifest: String

    /// A record from its parts.
    package init(path: String, manifest: String) {
      self.path = path
      self.manifest = manifest
    }
  }

  /// What is being done to the store.
  package enum Work: String, Sendable {
    /// A pipeline is run.
    case run
    /// A backup is put back.
    case restore
    /// Rejected objects are retried.
    case retry

    /// What the user does who cannot resume it.
    func startingOver(_ folder: WorkFolder) -> String {
      self == .run
        ? "Start over with --restart."
        : "Give it up with `\(folder.command("abandon"))`, then give the same command again."
    }
  }

  /// What is being done to the store.
  package var work = Work.run
  /// How far the run is.
  package var phase = Phase.created
  /// The run's id, which the new store's metadata has too.
  package var run: String
  /// The version of this program.
  package var tool: String
  /// The shape of the notes in the run's unfinished stores; with another none is resumed.
  package var shape = Self.currentShape
  /// Is raised with each change to the tables that an unfinished store has (`BuilderTables`).
  package static let currentShape: Int64 = 2
  /// The version of SQLite that the run began with.
  package var sqlite: String
  /// The store's main file, and which file that was.
  package var store: String
  package var identity: FileIdentity
  /// The words of the command that resumes it; none when no command began it.
  package var command: [String] = []
  /// Digests of what the run does, by what they are of.
  package var digests: [String: String] = [:]
  /// The step of a chain that is at work, counted from 0, and how many there are.
  package var step = 0
  package var steps = 1
  /// The source as it was copied.
  package var source: SourceRecord?
  /// The copy's content after rows of no entity got their table's number in it; nil without any.
  package var numbered: PageImage?
  /// The content of the new store.
  package var next: PageImage?
  /// The run that the new store's metadata names last, and that of the old store: where they differ
  /// they distinguish the two although an application has written to the store since.
  package var mark: String
  package var oldMark = ""
  /// The script whose error ended the run: once it is corrected the run starts over by itself.
  package var failedScript: String?
  /// The object with a value that could not be converted, which ended the run: once the pipeline
  /// file is corrected the run starts over in the same way.
  package var failedValue: String?
  /// What else ended the run that a corrected script or pipeline file may settle, in words: a link
  /// to an object that is not in the result.
  package var failedOn: String?

  /// What ended the run, as a part of a sentence; nil where it was none of these.
  package var failure: String? {
    failedScript.map { "an error in \($0)" }
      ?? failedValue.map { "a value that could not be converted (\($0))" }
      ?? failedOn
  }
  /// The digest of the manifest of the backup that is put back.
  package var restored: String?
  /// The run that a rollback undoes: a store that another one has changed since is left alone.
  package var undone: String?
  /// The backup; nil when there is none.
  package var backup: BackupRecord?
  /// The names of large values to put next to the store, and of those to remove after the swap.
  package var blobsToAdd: [String] = []
  package var blobsToDrop: [String] = []

  /// The state of a run that begins.
  package init(run: String, tool: String, folder: WorkFolder) throws {
    self.run = run
    mark = run
    self.tool = tool
    sqlite = SQLiteLibrary.version
    store = folder.store
    identity = try Self.identity(of: folder.store)
  }

  init(
    run: String, tool: String, sqlite: String, store: String, identity: FileIdentity
  ) {
    self.run = run
    mark = run
    self.tool = tool
    self.sqlite = sqlite
    self.store = store
    self.identity = identity
  }

  /// Notes what the copy contains since rows of no entity have got a number in it.
  package mutating func noteNumbers(in folder: WorkFolder) throws {
    numbered = try replacing("cannot read the copy", folder.sourcePath) {
      let copy = try Connection(path: folder.sourcePath, mode: .foreign)
      defer { try? copy.close() }
      return try copy.pageImage()
    }
  }

  static func identity(of store: String) throws -> FileIdentity {
    let what = "cannot look at the store"
    guard let entry = try replacing(what, store, { try FileEntry.at(store) }) else {
      throw Failure.missing(what: what, subject: store)
    }
    return entry.identity
  }
}
