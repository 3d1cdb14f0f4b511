package import SQLite

/// A store that is only looked at: its bytes and its folder stay as they are.
///
/// SQLite would write next to a store in WAL mode, or refuse to open it in a folder that cannot be
/// written. A small one is read into memory, a large one that no process writes is read where it
/// is, page by page without SQLite's locks, and others are cloned first, as is a store with a
/// journal that a crash left. Any other is opened where it is.
public final class Store {
  /// The store's files as they were when it was opened.
  package let files: StoreFiles
  /// What the store says of itself.
  public let metadata: Metadata
  /// Whether a clone is being read instead of the store itself.
  public let isClone: Bool
  /// A connection that reads the store, or its clone.
  package let connection: Connection
  /// The tables, indexes, views and triggers.
  package let schema: Schema
  /// What the check of the whole file has shown of it; nil where that was not made, or SQLite made
  /// it.
  let walk: PageWalk?
  private let clone: TemporaryClone?
  /// What the store was when it was opened; nil where a run's copy of it is read.
  package let moment: StoreMoment?

  /// What is opened in the place of a store.
  package enum Content: Sendable, Equatable {
    /// The store itself, or a clone of it; all of it is checked.
    case store
    /// The store itself, which was found sound and has not been written since, or is a copy of such
    /// a one.
    case sound
    /// The copy of it that a run has made, at this path; all of it is checked.
    case copy(String)
  }
  /// The time that is left for what takes longer the larger the store is; nil for all it takes.
  let budget: ReadingBudget?
  /// Whether only a part of the store is read, as was asked for, since it is large: the file is not
  /// checked, and numbers may be estimates.
  public var isBrief: Bool { budget != nil }

  /// A smaller store is rather copied than read where it is, and rather read whole: that takes no
  /// time, and other processes may continue to write.
  package static let copiesBelow: Int64 = 16 << 20

  /// Opens a store to look at it.
  ///
  /// - Parameters:
  ///   - path: The store's main file, or a link to it.
  ///   - temporaryFolder: Where a clone is made; the system's folder for such files by default.
  ///   - isBrief: Whether nothing is done with a large store that takes longer the larger it is.
  ///   - stops: Is asked while the file is checked; true ends that.
  /// - Throws: ``Failure`` when there is no sound Core Data store, `CancellationError` when it was
  ///   stopped.
  public convenience init(
    _ path: String, temporaryFolder: String? = nil, isBrief: Bool = false,
    stops: @escaping () -> Bool = { false }
  ) throws {
    try self.init(
      path, temporaryFolder: temporaryFolder, isBrief ? ReadingBudget() : nil,
      copiesBelow: Self.copiesBelow, stops: stops)
  }

  /// Opens a store to look at it, or what a run has copied of it.
  package convenience init(_ path: String, reading content: Content) throws {
    try self.init(
      path, temporaryFolder: nil, nil, copiesBelow: Self.copiesBelow, reading: content)
  }

  /// The same with a budget of its own, and other sizes up to which it is copied, and read whole in
  /// spite of the budget.
  package init(
    _ path: String, temporaryFolder: String? = nil, _ budget: ReadingBudget?, copiesBelow: Int64,
    readsWholeBelow: Int64? = nil, reading content: Content = .store,
    stops: @escaping () -> Bool = { false }
  ) throws {
    let files = try StoreFiles(path)
    let opening = StoreOpening(
      files: files, temporaryFolder: temporaryFolder, copiesBelow: copiesBelow)
    let isWhole = files.bytes + (files.walBytes ?? 0) < readsWholeBelow ?? copiesBelow
    let budget = isWhole ? nil : budget
    self.budget = budget
    // Before it is opened: who writes to it from here on gives it another stamp.
    let stamp = try? Stamp(ofFile: files.path)
    let (connection, clone) = try opening.open(content)
    do {
      let (schema, walk) = try opening.check(
        connection, readsAll: budget == nil && content != .sound, stops: stops)
      metadata = try opening.reading("cannot read the metadata", connection) {
        let tables = TableGuard(path: files.path, connection: connection, schema: schema)
        return try connection.readingAtOnce { try MetadataReader(tables: tables).read() }
      }
      (self.schema, self.walk) = (schema, walk)
    } catch {
      // Before the clone goes: a file is closed before it is removed.
      try? connection.close()
      throw error
    }
    self.files = files
    self.connection = connection
    self.clone = clone
    let isCopy = if case .copy = content { true } else { false }
    isClone = clone != nil || isCopy
    moment =
      isCopy
      ? nil
      : stamp.map { [metadata, walk] stamp in
        StoreMoment(
          stamp: stamp, uuid: metadata.uuid, hashes: metadata.hashes, isSound: budget == nil,
          walk: walk)
      }
  }

  deinit { try? connection.close() }

  /// Runs `body` with a limit of time, and reports SQLite's errors as errors of this store.
  package func reading<Result>(
    _ what: String, of part: String? = nil, limit: Duration? = nil, _ body: () throws -> Result
  ) throws -> Result {
    let opening = StoreOpening(
      files: files, temporaryFolder: nil, copiesBelow: Self.copiesBelow)
    return try opening.reading(what, of: part, limit: limit, connection, body)
  }

  /// The path of the store, and the part of it that is meant.
  package func subject(_ part: String?) -> String {
    part.map { "\(files.path), \($0)" } ?? files.path
  }

  /// The store's tables, as far as they are what Core Data makes.
  var tables: TableGuard {
    TableGuard(path: files.path, connection: connection, schema: schema)
  }

  /// The columns of an ordinary table that stores what it was given.
  ///
  /// - Throws: ``Failure`` for a view or virtual table of that name, which may run without end,
  ///   and for columns that are computed.
  package func columns(of table: String) throws -> [SchemaColumn] {
    try reading("cannot read the table", of: table) {
      try tables.columns(of: table)
    }
  }
}

/// The time that a look at a store may take for what takes longer the larger the store is.
package final class ReadingBudget {
  private var left: Duration

  /// So much time in all.
  package init(_ time: Duration = .seconds(1)) { left = time }

  /// Runs `body`, which reads by the connection, within a part of what is left; nil when that is
  /// not enough.
  func within<Result>(
    _ connection: Connection, _ body: () throws -> Result
  ) throws -> Result? {
    // A part only, so that something is left for what comes after.
    let limit = left / 3
    guard limit > .milliseconds(1) else { return nil }
    let start = SuspendingClock.now
    defer { left -= SuspendingClock.now - start }
    do {
      return try connection.withDeadline(limit, body)
    } catch let error as SQLiteError where error.isInterrupted {
      return nil
    }
  }
}
