internal import CSQLite
package import OperatingSystem

/// A connection to one database file, and to those attached to it.
///
/// It belongs to one task at a time: SQLite is opened without its own mutexes.
/// Statements, backups and blob handles keep their connection alive; it closes when the last of
/// them is gone, or loudly with `close()`.
@safe package final class Connection {
  /// The resolved path of the main file; ":memory:" for a database without one.
  package let path: String
  /// What the main file looked like before it was opened; nil when it was made just now.
  package let file: DatabaseFile?
  /// Whether the main file is an ``Overlay``.
  package let isOverlay: Bool
  /// Whether the main file is in WAL mode, without a log, and SQLite does not know.
  package let hidesWAL: Bool
  /// Stops what the connection is doing, from any thread.
  package let interrupter: Interrupter

  /// The way in which the main file is read; nil where SQLite reads it in its own.
  let way: ReadWay?
  private var database: OpaquePointer?
  private var claims: [Text: FileIdentity] = [:]
  private var idle = IdleStatements()
  private var schemas: [Text: (cookie: Int64, schema: Schema)] = [:]
  var progress: ProgressHandler?
  /// The frames that the log of an overlay is allowed, at the least and until it is looked at next.
  var logLimit: (least: UInt32, next: UInt32)?
  /// What was wrong when the log was to start over.
  var logTrouble: SQLiteError?

  /// Opens a database file; one that exists is checked first, as `DatabaseFile` says.
  package init(path: String, mode: OpenMode) throws(SQLiteError) {
    let location =
      try mode.access == .create ? DatabaseFile.create(path) : DatabaseFile.locate(path)
    try location.claim()
    let handle: OpaquePointer
    do {
      isOverlay = mode.readsOverlays && Overlay.isOne(location.path)
      file = try mode.access == .create ? nil : DatabaseFile.examineClaimed(location, isOverlay)
      let mayHide = mode.canHoldLock && mode.hidesWAL && file?.header.isWAL == true
      let hides = try mayHide ? !DatabaseFile.hasLog(location.path) : false
      OpenFiles.connect(location.identity)
      way = !isOverlay ? mode.way : mode.access == .readOnly ? .view : .overlay
      unsafe handle = try Self.openHandle(
        location.path, mode.access, vfs: way?.name ?? (mode.canHoldLock ? HeldLock.name : nil))
      hidesWAL = unsafe hides && HeldLock.hideWAL(of: handle)
    } catch {
      OpenFiles.release(location.identity)
      throw error
    }
    self.path = location.path
    unsafe database = handle
    interrupter = unsafe Interrupter(handle)
    claims["main"] = location.identity
    // What was read into memory keeps no file.
    if way == .loaded, let identity = claims.removeValue(forKey: "main") {
      OpenFiles.release(identity)
    }
    try configure(mode)
  }

  /// Opens a new database in memory.
  package init(inMemory guards: Guards) throws(SQLiteError) {
    path = ":memory:"
    file = nil
    way = nil
    isOverlay = false
    hidesWAL = false
    let handle = unsafe try Self.openHandle(path, .readWrite)
    unsafe database = handle
    interrupter = unsafe Interrupter(handle)
    var mode = OpenMode.own(create: true)
    mode.guards = guards
    try configure(mode)
  }

  deinit {
    idle.finalizeAll()
    interrupter.disarm()
    _ = unsafe sqlite3_close_v2(database)
    claims.values.forEach(OpenFiles.release)
  }

  /// Opened by its plain path: the flag for URIs is there for ATTACH, and an absolute path is none.
  private static func openHandle(
    _ path: String, _ access: OpenMode.Access, vfs: String? = nil
  ) throws(SQLiteError) -> OpaquePointer {
    #if FAULTS
    FileFaults.install()
    #endif
    // The path has been resolved: a link in it now was put there since.
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    flags |= access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    var handle: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &handle, flags, vfs)
    guard code == SQLITE_OK, let handle = unsafe handle else {
      // "Whether or not an error occurs, resources should be released by sqlite3_close" (C API).
      defer { _ = unsafe sqlite3_close(handle) }
      throw unsafe handle == nil ? .forCode(code, path: path) : .last(of: handle, path: path)
    }
    return unsafe handle
  }

  /// Closes now, and says so when statements, backups or blob handles are still open.
  package func close() throws(SQLiteError) {
    guard unsafe database != nil else { return }
    idle.finalizeAll()
    interrupter.disarm()
    let code = unsafe sqlite3_close(database)
    guard code == SQLITE_OK else {
      unsafe interrupter.arm(database)
      throw unsafe .last(of: database, path: path)
    }
    unsafe database = nil
    claims.values.forEach(OpenFiles.release)
    claims = [:]
  }

  /// The C handle, unless the connection is closed.
  func handle() throws(SQLiteError) -> OpaquePointer {
    guard let database = unsafe database else {
      throw .misuse("the connection is closed", path: path)
    }
    return unsafe database
  }

  /// The C handle for questions that have an answer on a closed connection too.
  var handleIfOpen: OpaquePointer? { unsafe database }

  /// Notes that a file is attached under a name.
  func note(_ identity: FileIdentity, attachedAs name: String) { claims[Self.key(name)] = identity }

  /// Forgets an attached file.
  func forget(_ name: String) {
    schemas[Self.key(name)] = nil
    if let identity = claims.removeValue(forKey: Self.key(name)) { OpenFiles.release(identity) }
  }

  /// A schema as its table has it, which is read again when its cookie is another one.
  ///
  /// "SQLite automatically increments the schema-version whenever the schema changes. As each SQL
  /// statement runs, the schema version is checked" (PRAGMA schema_version): what SQLite itself
  /// remembers of the schema is as old. The cookie is asked for first: where another process
  /// changes the schema between the two, what is remembered has a cookie that no longer counts.
  func schema(_ name: String) throws(SQLiteError) -> Schema {
    let key = Self.key(name)
    let cookie = try cookie(of: name)
    if let known = schemas[key], known.cookie == cookie { return known.schema }
    let schema = try Schema(reading: self, name)
    schemas[key] = (cookie, schema)
    return schema
  }

  /// Forgets them: a transaction that is undone takes its cookies back, and what is written into a
  /// schema table as such has none.
  func forgetSchemas() { schemas = [:] }

  /// Identity of the file under a schema name, when it is a file.
  package func identity(of schema: String = "main") -> FileIdentity? {
    claims[Self.key(schema)]
  }

  /// SQLite takes schema names of other case, in ASCII, for the same.
  private static func key(_ schema: String) -> Text {
    Text(bytes: schema.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 })
  }
}

extension Connection {
  /// Takes a prepared statement for this SQL out of those at rest.
  func takeIdle(_ sql: String) -> OpaquePointer? { unsafe idle.take(sql) }

  /// Puts a statement to rest, to be prepared no more.
  func rest(_ statement: OpaquePointer, sql: String) { unsafe idle.rest(statement, sql: sql) }
}
