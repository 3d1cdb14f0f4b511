internal import CSQLite
internal import Synchronization

/// A way for SQLite to a file whose lock it does not give back when it ends a transaction.
///
/// What writes into the main file without SQLite needs the lock to stay, and SQLite to forget its
/// pages: in exclusive locking mode it keeps both, in normal mode neither. So SQLite is left to
/// unlock in normal mode, and does not reach the file: while the lock is held every lock that it
/// asks for is there already (os_unix.c, unixLock: "If there is already a lock of this type or more
/// restrictive on the unixFile, do nothing").
enum HeldLock {
  /// The name by which SQLite knows the way; nil when it could not be made known.
  static var name: String? { isKnown ? "\(spelled)" : nil }

  private static let spelled: StaticString = "pipeline-held"

  /// Where in SQLite's memory of an open file ours begins: behind what the system's own way needs.
  private static let offset: Int = {
    let size = unsafe SystemWay.vfs.map { Int(unsafe $0.pointee.szOsFile) } ?? 0
    return (size + 15) / 16 * 16
  }()

  /// What is kept of an open file.
  @safe private struct Kept {
    /// The system's own methods.
    let methods: UnsafePointer<sqlite3_io_methods>
    var isHeld: Bool
    var hidesWAL = false
  }

  private static let isKnown: Bool = {
    guard let system = unsafe SystemWay.vfs else { return false }
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    unsafe own.initialize(to: system.pointee)
    unsafe own.pointee.pNext = nil
    unsafe own.pointee.zName = unsafe UnsafeRawPointer(spelled.utf8Start)
      .assumingMemoryBound(to: CChar.self)
    unsafe own.pointee.szOsFile = Int32(offset + MemoryLayout<Kept>.stride)
    unsafe own.pointee.xOpen = { _, name, file, flags, outFlags in
      unsafe HeldLock.open(name, file, flags, outFlags)
    }
    return unsafe sqlite3_vfs_register(own, 0) == SQLITE_OK
  }()

  private static func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let system = unsafe SystemWay.vfs, let file = unsafe file else {
      return SQLITE_CANTOPEN
    }
    let code = unsafe system.pointee.xOpen?(system, name, file, flags, outFlags) ?? SQLITE_CANTOPEN
    guard code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0,
      let methods = unsafe file.pointee.pMethods
    else { return code }
    unsafe kept(file).initialize(to: Kept(methods: methods, isHeld: false))
    unsafe file.pointee.pMethods = unsafe UnsafePointer(held(methods))
    return code
  }

  private static func kept(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<Kept>
  {
    unsafe (UnsafeMutableRawPointer(file) + offset).assumingMemoryBound(to: Kept.self)
  }

  /// The system's methods with three of ours; one copy for each table of methods that it has.
  private static func held(
    _ methods: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafeMutablePointer<sqlite3_io_methods> {
    unsafe copies.withLock { copies in
      let key = UInt(bitPattern: methods)
      if let known = copies[key] { return unsafe known.table }
      let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      unsafe table.initialize(to: methods.pointee)
      unsafe table.pointee.xUnlock = { file, level in
        guard let file = unsafe file else { return SQLITE_MISUSE }
        let kept = unsafe HeldLock.kept(file).pointee
        if kept.isHeld { return SQLITE_OK }
        return unsafe kept.methods.pointee.xUnlock?(file, level) ?? SQLITE_MISUSE
      }
      unsafe table.pointee.xRead = { file, buffer, count, place in
        guard let file = unsafe file, let buffer = unsafe buffer else { return SQLITE_MISUSE }
        let kept = unsafe HeldLock.kept(file).pointee
        let code =
          unsafe kept.methods.pointee.xRead?(file, buffer, count, place) ?? SQLITE_MISUSE
        if kept.hidesWAL {
          let bytes = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
          unsafe DatabaseHeader.hideWAL(in: bytes, at: place)
        }
        return code
      }
      // A lock of our own is no other process's: a journal next to the file counts.
      unsafe table.pointee.xCheckReservedLock = { file, isReserved in
        guard let file = unsafe file else { return SQLITE_MISUSE }
        let kept = unsafe HeldLock.kept(file).pointee
        if kept.isHeld {
          unsafe isReserved?.pointee = 0
          return SQLITE_OK
        }
        return unsafe kept.methods.pointee.xCheckReservedLock?(file, isReserved) ?? SQLITE_MISUSE
      }
      copies[key] = unsafe Table(table: table)
      return unsafe table
    }
  }

  @safe private struct Table: @unchecked Sendable {
    let table: UnsafeMutablePointer<sqlite3_io_methods>
  }

  private static let copies = Mutex<[UInt: Table]>([:])

  /// Whether a file was opened in this way; only then there is memory for what is kept of it.
  static func has(_ file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
    copies.withLock { copies in
      copies.values.contains { unsafe UnsafePointer($0.table) == file.pointee.pMethods }
    }
  }

  /// Has SQLite take the main file of a connection, which it has not read yet, for one in rollback
  /// mode; false where the file was not opened in this way.
  static func hideWAL(of connection: OpaquePointer) -> Bool {
    guard isKnown, let file = unsafe csqlite_file(connection, "main", SQLITE_FCNTL_FILE_POINTER),
      unsafe has(file)
    else { return false }
    unsafe kept(file).pointee.hidesWAL = true
    return true
  }

  /// Says whether the lock of a file of ours stays, whatever SQLite gives back.
  static func hold(_ file: UnsafeMutablePointer<sqlite3_file>, _ isHeld: Bool) {
    guard unsafe has(file) else { return }
    unsafe kept(file).pointee.isHeld = isHeld
  }
}
