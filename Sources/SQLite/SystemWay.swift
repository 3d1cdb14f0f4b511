internal import CSQLite
internal import OperatingSystem

/// The system's own way to files, as it was when the first of ours was made.
///
/// Ours keep their own data behind the memory that this one asks for. Another part of the program
/// may make another way the usual one at any time, which asks for more: it is not taken for this.
enum SystemWay {
  /// SQLite's record of it; nil when SQLite has none.
  static var vfs: UnsafeMutablePointer<sqlite3_vfs>? { unsafe found }

  nonisolated(unsafe) private static let found: UnsafeMutablePointer<sqlite3_vfs>? = {
    #if FAULTS
    FileFaults.install()
    #endif
    return unsafe sqlite3_vfs_find(nil)
  }()

  /// The name by which SQLite knows it.
  static var name: String? {
    unsafe vfs.flatMap { unsafe $0.pointee.zName }.map { unsafe String(cString: $0) }
  }
}
