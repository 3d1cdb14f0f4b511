internal import CSQLite

/// What SQLite reads as a main file that it must not change.
protocol ReadContent: AnyObject {
  /// The length of the file in bytes.
  var length: Int64 { get }
  /// What SQLite may take for granted: SQLITE_IOCAP_... of its C API.
  var characteristics: Int32 { get }

  /// Fills the buffer from `offset`; false where the file ends before that, the rest being zeros.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool

  /// Whether SQLite may write bytes that are there already.
  func accepts(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool
  /// Whether SQLite may make the file as long as it is.
  func accepts(length: Int64) -> Bool
}

extension ReadContent {
  func accepts(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool { false }
  func accepts(length: Int64) -> Bool { false }
}

/// The ways for SQLite to main files that are only read.
///
/// Everything but the main file is left to the system's own way: it makes the temporary files, and
/// writes the log of an overlay.
enum ReadWay: Int, CaseIterable {
  /// A file that others made, as ``StillContent`` reads it.
  case still = 1
  /// A file with a log of changes on top of it, as ``OverlayContent`` reads it.
  case overlay = 2
  /// A small file that others made, as ``StillContent`` reads it into memory.
  case loaded = 3
  /// A file with a log of changes on top of it, which is only read.
  case view = 4

  /// The name by which SQLite knows the way; nil when it could not be made known.
  var name: String? { Self.known.contains(self) ? "\(spelled)" : nil }

  private var spelled: StaticString {
    switch self {
    case .still: "pipeline-still"
    case .overlay: "pipeline-overlay"
    case .loaded: "pipeline-loaded"
    case .view: "pipeline-view"
    }
  }

  private func content(_ path: String) throws(SQLiteError) -> any ReadContent {
    switch self {
    case .still: try StillContent(path)
    case .overlay: try OverlayContent(path)
    case .loaded: try StillContent(path, isLoaded: true)
    case .view: try OverlayContent(path, withLog: true)
    }
  }

  /// The ways that SQLite knows; made known once, and for as long as the process lives.
  private static let known: Set<ReadWay> = Set(allCases.filter { $0.register() })

  private func register() -> Bool {
    guard let system = unsafe SystemWay.vfs else { return false }
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    unsafe own.initialize(to: system.pointee)
    unsafe own.pointee.pNext = nil
    unsafe own.pointee.zName = unsafe UnsafeRawPointer(spelled.utf8Start)
      .assumingMemoryBound(to: CChar.self)
    unsafe own.pointee.szOsFile = max(
      own.pointee.szOsFile, Int32(ReadFiles.contentOffset + MemoryLayout<UnsafeRawPointer>.stride))
    // A closure that C calls holds nothing: each way has one of its own.
    switch self {
    case .still:
      unsafe own.pointee.xOpen = { _, name, file, flags, outFlags in
        unsafe ReadWay.still.open(name, file, flags, outFlags)
      }
    case .overlay:
      unsafe own.pointee.xOpen = { _, name, file, flags, outFlags in
        unsafe ReadWay.overlay.open(name, file, flags, outFlags)
      }
    case .loaded:
      unsafe own.pointee.xOpen = { _, name, file, flags, outFlags in
        unsafe ReadWay.loaded.open(name, file, flags, outFlags)
      }
    case .view:
      unsafe own.pointee.xOpen = { _, name, file, flags, outFlags in
        unsafe ReadWay.view.open(name, file, flags, outFlags)
      }
    }
    return unsafe sqlite3_vfs_register(own, 0) == SQLITE_OK
  }

  private func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard flags & SQLITE_OPEN_MAIN_DB != 0 else {
      guard let system = unsafe SystemWay.vfs else { return SQLITE_CANTOPEN }
      return unsafe system.pointee.xOpen?(system, name, file, flags, outFlags) ?? SQLITE_CANTOPEN
    }
    guard let name = unsafe name, let file = unsafe file else { return SQLITE_CANTOPEN }
    unsafe file.pointee.pMethods = nil
    do {
      unsafe ReadFiles.begin(file, with: try content(unsafe String(cString: name)))
      // The flags that were asked for: an overlay is written, though never into this file.
      unsafe outFlags?.pointee =
        self == .overlay ? flags : SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
      return SQLITE_OK
    } catch {
      return error.extendedCode
    }
  }
}

/// SQLite's calls on a file that is only read.
enum ReadFiles {
  /// Where in SQLite's memory of an open file the content is.
  static let contentOffset = unsafe MemoryLayout<sqlite3_file>.stride

  /// SQLite keeps contents as plain pointers: they are classes in a box of one type.
  private final class Box {
    let content: any ReadContent

    init(_ content: any ReadContent) { self.content = content }
  }

  static func begin(_ file: UnsafeMutablePointer<sqlite3_file>, with content: any ReadContent) {
    let kept = unsafe Unmanaged.passRetained(Box(content)).toOpaque()
    unsafe UnsafeMutableRawPointer(file)
      .storeBytes(of: kept, toByteOffset: contentOffset, as: UnsafeMutableRawPointer.self)
    unsafe file.pointee.pMethods = unsafe UnsafePointer(methods)
  }

  private static func kept(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Unmanaged<Box>? {
    guard let file = unsafe file, unsafe file.pointee.pMethods == UnsafePointer(methods) else {
      return nil
    }
    let kept = unsafe UnsafeRawPointer(file)
      .load(fromByteOffset: contentOffset, as: UnsafeRawPointer.self)
    return unsafe Unmanaged.fromOpaque(kept)
  }

  /// What a connection reads, when it reads like this.
  static func content(of file: UnsafeMutablePointer<sqlite3_file>?) -> (any ReadContent)? {
    unsafe kept(file)?.takeUnretainedValue().content
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

  nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    unsafe methods.initialize(to: sqlite3_io_methods())
    unsafe methods.pointee.iVersion = 1
    unsafe methods.pointee.xClose = { file in
      unsafe ReadFiles.kept(file)?.release()
      return SQLITE_OK
    }
    unsafe methods.pointee.xRead = { file, buffer, count, offset in
      unsafe ReadFiles.read(file, buffer, count, offset)
    }
    unsafe methods.pointee.xWrite = { file, bytes, count, offset in
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
      let isAccepted = unsafe ReadFiles.content(of: file)?.accepts(bytes, at: offset) == true
      return isAccepted ? SQLITE_OK : SQLITE_READONLY
    }
    unsafe methods.pointee.xTruncate = { file, length in
      unsafe ReadFiles.content(of: file)?.accepts(length: length) == true
        ? SQLITE_OK : SQLITE_READONLY
    }
    unsafe methods.pointee.xSync = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xFileSize = { file, size in
      guard let content = unsafe ReadFiles.content(of: file) else { return SQLITE_IOERR }
      unsafe size?.pointee = content.length
      return SQLITE_OK
    }
    // The file is not written: there is nothing to lock.
    unsafe methods.pointee.xLock = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xUnlock = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xCheckReservedLock = { _, isReserved in
      unsafe isReserved?.pointee = 0
      return SQLITE_OK
    }
    unsafe methods.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    unsafe methods.pointee.xSectorSize = { _ in 4096 }
    unsafe methods.pointee.xDeviceCharacteristics = { file in
      unsafe ReadFiles.content(of: file)?.characteristics ?? 0
    }
    return unsafe methods
  }()
}

extension Connection {
  /// Fails with `isBusy` where the file is read as ``OpenMode/still`` and another process writes to
  /// it.
  package func checkStill() throws(SQLiteError) {
    let file = unsafe csqlite_file(try handle(), "main", SQLITE_FCNTL_FILE_POINTER)
    try (unsafe ReadFiles.content(of: file) as? StillContent)?.check()
  }
}
