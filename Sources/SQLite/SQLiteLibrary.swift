internal import CSQLite
internal import SQLiteHost
internal import Synchronization

/// Facts and settings of the SQLite that this process runs with.
package enum SQLiteLibrary {
  /// The version as words, such as "3.40.1".
  package static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// The version as a number, such as 3040001.
  package static var versionNumber: Int { Int(sqlite3_libversion_number()) }

  /// The options it was compiled with, without the leading `SQLITE_`.
  package static var compileOptions: [String] {
    var options: [String] = []
    while let option = unsafe sqlite3_compileoption_get(Int32(options.count)) {
      unsafe options.append(String(cString: option))
    }
    return options
  }

  /// The longest text, blob or row in bytes, for connections that are opened from now on.
  package static var longestValue: Int32 { longest.load(ordering: .relaxed) }

  /// What is the longest unless something else is said.
  package static let usualLongestValue: Int32 = 100_000_000

  private static let longest = Atomic<Int32>(usualLongestValue)

  /// Limits what a value may take of the memory, and what SQLite may in the whole process.
  ///
  /// A statement holds a value of its source and one of its destination, and twice as much is never
  /// needed at a time. Where ``takeMemory()`` came too late, SQLite's own limit counts: "If the
  /// hard heap limit is exceeded, the allocation fails with SQLITE_NOMEM" (SQLite, C API, Impose A
  /// Limit On Heap Size). A build without memory statistics, such as Apple's, has none.
  package static func limitValues(to bytes: Int32) {
    longest.store(bytes, ordering: .relaxed)
    sq_limit_memory(4 * Int64(bytes))
    _ = sqlite3_hard_heap_limit64(4 * Int64(bytes))
  }

  /// Counts what SQLite takes without its lock, which all threads would wait for.
  ///
  /// It is for the whole process, and for programs alone: it must be called before SQLite is used
  /// and before there is a second thread. Later it does nothing.
  package static func takeMemory() { _ = sq_take_memory() }
}
