internal import CSQLite

extension Connection {
  /// Fails with `isBusy` where the file is read as ``OpenMode/still`` and another process writes to
  /// it.
  package func checkStill() throws(SQLiteError) {
    let file = unsafe csqlite_file(try handle(), "main", SQLITE_FCNTL_FILE_POINTER)
    try unsafe InPlaceReader.content(of: file)?.check()
  }
}

/// A way for SQLite to files that are only read, as ``StillContent`` reads them.
///
/// Everything but the main file is left to the system's own way: temporary files are made by it.
enum InPlaceReader {
  /// The name by which SQLite knows it, nil when it could not be made known.
  static var name: String? { isKnown ? "\(spelled)" : nil }

  private static let spelled: StaticString = "pipeline-still"

  /// Whether SQLite knows it; made known once, and for as long as the process lives.
  private static let isKnown: Bool = {
    guard let system = unsafe sqlite3_vfs_find(nil) else { return false }
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    unsafe own.initialize(to: system.pointee)
    unsafe own.pointee.pNext = nil
    unsafe own.pointee.zName = unsafe UnsafeRawPointer(spelled.utf8Start)
      .assumingMemoryBound(to: CChar.self)
    unsafe own.pointee.szOsFile = max(own.pointee.szOsFile, Int32(contentOffset + 8))
    unsafe own.pointee.xOpen = { _, name, file, flags, outFlags in
      unsafe InPlaceReader.open(name, file, flags, outFlags)
    }
    return unsafe sqlite3_vfs_register(own, 0) == SQLITE_OK
  }()

  /// Where in SQLite's memory of an open file the content is.
  private static let contentOffset = unsafe MemoryLayout<sqlite3_file>.stride

  private static func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard flags & SQLITE_OPEN_MAIN_DB != 0 else {
      guard let system = unsafe sqlite3_vfs_find(nil) else { return SQLITE_CANTOPEN }
      return unsafe system.pointee.xOpen?(system, name, file, flags, outFlags) ?? SQLITE_CANTOPEN
    }
    guard let name = unsafe name, let file = unsafe file else { return SQLITE_CANTOPEN }
    unsafe file.pointee.pMethods = nil
    do {
      let content = try StillContent(unsafe String(cString: name))
      let kept = unsafe Unmanaged.passRetained(content).toOpaque()
      unsafe UnsafeMutableRawPointer(file)
        .storeBytes(of: kept, toByteOffset: contentOffset, as: UnsafeMutableRawPointer.self)
      unsafe file.pointee.pMethods = unsafe UnsafePointer(methods)
      unsafe outFlags?.pointee = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
      return SQLITE_OK
    } catch {
      return error.extendedCode
    }
  }

  private static func kept(
    _ file: UnsafeMutablePointer<sqlite3_file>?
  ) -> Unmanaged<StillContent>? {
    guard let file = unsafe file, unsafe file.pointee.pMethods == UnsafePointer(methods) else {
      return nil
    }
    let kept = unsafe UnsafeRawPointer(file)
      .load(fromByteOffset: contentOffset, as: UnsafeRawPointer.self)
    return unsafe Unmanaged.fromOpaque(kept)
  }

  /// What a connection reads, when it reads like this.
  static func content(of file: UnsafeMutablePointer<sqlite3_file>?) -> StillContent? {
    unsafe kept(file)?.takeUnretainedValue()
  }

  private static func read(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeMutableRawPointer?, _ count: Int32,
    _ offset: Int64
  ) -> Int32 {
    guard let content = unsafe content(of: file) else { return SQLITE_IOERR }
    do {
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
      return unsafe try content.fill(buffer, at: offset) ? SQLITE_OK : ExtendedCode.shortRead
    } catch {
      return error.extendedCode
    }
  }

  /// "SQLITE_IOCAP_IMMUTABLE means that the file is on read-only media and cannot be changed" (C
  /// API): SQLite asks for no lock then, and looks for no journal.
  nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    unsafe methods.initialize(to: sqlite3_io_methods())
    unsafe methods.pointee.iVersion = 1
    unsafe methods.pointee.xClose = { file in
      unsafe InPlaceReader.kept(file)?.release()
      return SQLITE_OK
    }
    unsafe methods.pointee.xRead = { file, buffer, count, offset in
      unsafe InPlaceReader.read(file, buffer, count, offset)
    }
    unsafe methods.pointee.xWrite = { _, _, _, _ in SQLITE_READONLY }
    unsafe methods.pointee.xTruncate = { _, _ in SQLITE_READONLY }
    unsafe methods.pointee.xSync = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xFileSize = { file, size in
      guard let content = unsafe InPlaceReader.content(of: file) else { return SQLITE_IOERR }
      unsafe size?.pointee = content.pageCount * Int64(content.pageSize)
      return SQLITE_OK
    }
    unsafe methods.pointee.xLock = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xUnlock = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xCheckReservedLock = { _, isReserved in
      unsafe isReserved?.pointee = 0
      return SQLITE_OK
    }
    unsafe methods.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    unsafe methods.pointee.xSectorSize = { _ in 4096 }
    unsafe methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
    return unsafe methods
  }()
}
