package import SQLite

/// How a store from an unknown author is opened to be read.
package struct StoreOpening {
  let files: StoreFiles
  let temporaryFolder: String?
  /// From which size on a store is rather read where it is than copied.
  let copiesBelow: Int64

  private static let what = "cannot open the store"

  /// The opening of a store; a clone of it goes into the folder, or where files do not last.
  package init(files: StoreFiles, temporaryFolder: String?, copiesBelow: Int64) {
    self.files = files
    self.temporaryFolder = temporaryFolder
    self.copiesBelow = copiesBelow
  }

  /// A connection to the store, or to a clone of it where reading would write.
  package func open(_ content: Store.Content) throws -> (Connection, TemporaryClone?) {
    do {
      if case .copy(let path) = content { return (try Connection(path: path, mode: .foreign), nil) }
      let database = try DatabaseFile.examine(files.path)
      guard needsClone(database) else {
        return (try Connection(path: files.path, mode: inPlace), nil)
      }
      if let connection = try still(database) { return (connection, nil) }
      let clone = try TemporaryClone(of: files, in: temporaryFolder)
      return (try Connection(path: clone.path, mode: Self.cloned), clone)
    } catch let error as SQLiteError {
      throw Failure(error, what: Self.what, subject: files.path)
    }
  }

  /// A connection that reads the store where it is, page by page or in memory; nil where it has to
  /// be cloned.
  private func still(_ database: DatabaseFile) throws(SQLiteError) -> Connection? {
    // A -journal has to be rolled back into the main file.
    guard (files.journalBytes ?? 0) == 0 else { return nil }
    guard files.bytes < copiesBelow else {
      return try database.isStill ? Connection(path: files.path, mode: .still) : nil
    }
    return try files.loaded()
  }

  /// Whether SQLite would write next to the store, or refuse because it cannot.
  private func needsClone(_ database: DatabaseFile) -> Bool {
    database.header.isWAL || files.walBytes != nil || files.journalBytes != nil
      || !files.isFolderWritable
  }

  private var inPlace: OpenMode {
    var mode = OpenMode.foreign
    mode.wait = .seconds(5)
    return mode
  }

  /// Written, so that SQLite rolls back what a crash left; alone, so that it needs no -shm.
  private static var cloned: OpenMode {
    var mode = OpenMode.foreignWritable
    mode.durability = .off
    return mode
  }

  /// Checks the whole file before anything of it is believed; gives back what is in it, and what
  /// the check has shown of it.
  ///
  /// The check must not run expressions from the author of the file: those of CHECK clauses are
  /// switched off in every connection, and computed columns, whose expressions cannot be, are
  /// refused.
  ///
  /// Of a store that is known to be sound, or read in part, only the schema is looked at, which is
  /// what SQLite itself does before it reads a table; a damaged page it meets is an error then.
  ///
  /// - Throws: ``Failure``, or `CancellationError` when `stops` has said so.
  package func check(
    _ connection: Connection, readsAll: Bool, stops: @escaping () -> Bool = { false }
  ) throws -> (schema: Schema, walk: PageWalk?) {
    try reading("cannot check the store", stops: stops, connection) {
      let schema = try connection.readingAtOnce {
        let schema = try Schema(of: connection)
        let tables = TableGuard(path: files.path, connection: connection, schema: schema)
        for table in schema.objects(of: .table) { _ = try tables.columns(of: table.name) }
        return schema
      }
      guard readsAll else { return (schema, nil) }
      let (walk, problems) = try connection.interrupting(when: stops) {
        let walk = try connection.walk(.rows(counting: "Z_ENT"))
        return (walk, try walk == nil ? connection.found(by: .quick) : [])
      }
      if let walk { return (schema, walk) }
      // Pages that could not be read because another process writes are no damage.
      if !problems.isEmpty { try connection.checkStill() }
      guard problems.isEmpty else { throw damage(problems) }
      return (schema, nil)
    }
  }

  private func damage(_ problems: [String]) -> Failure {
    let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
    return Failure(
      .unusable, what: "cannot use the store", subject: files.path,
      why: "It is damaged: \(problems[0])\(more).", remedy: Failure.restore)
  }

  /// Runs `body` with a limit of time, and reports SQLite's errors as errors of this store.
  package func reading<Result>(
    _ what: String, of part: String? = nil, limit: Duration? = nil,
    stops: () -> Bool = { false }, _ connection: Connection, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try connection.withDeadline(limit ?? usualLimit, body)
    } catch let error as SQLiteError {
      if error.isInterrupted, stops() { throw CancellationError() }
      let subject = part.map { "\(files.path), \($0)" } ?? files.path
      throw Failure(error, what: what, subject: subject)
    }
  }

  /// Time enough for reading all of the file from a slow disk, and no more.
  private var usualLimit: Duration {
    .seconds(20) + .seconds((files.bytes + (files.walBytes ?? 0)) / (10 << 20))
  }
}
