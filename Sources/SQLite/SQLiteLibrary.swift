internal import CSQLite

/// Facts and settings of the SQLite that this process runs with.
package enum SQLiteLibrary {
  /// The version as words, such as "3.40.1".
  package static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// The version as a number, such as 3040001.
  package static var versionNumber: Int { Int(sqlite3_libversion_number()) }

  /// Where this SQLite came from: date, time and hash of its check-in.
  package static var sourceID: String { unsafe String(cString: sqlite3_sourceid()) }

  /// The options it was compiled with, without the leading `SQLITE_`.
  package static var compileOptions: [String] {
    var options: [String] = []
    while let option = unsafe sqlite3_compileoption_get(Int32(options.count)) {
      unsafe options.append(String(cString: option))
    }
    return options
  }

  /// Bytes that SQLite holds at the moment; 0 when it was built without statistics.
  package static var memoryUsed: Int64 { sqlite3_memory_used() }

  /// Limits SQLite's memory in the whole process; gives back the hard limit now in force.
  ///
  /// "If the hard heap limit is exceeded, the allocation fails with SQLITE_NOMEM" (SQLite, C API,
  /// Impose A Limit On Heap Size). A build without memory statistics, such as Apple's, ignores it.
  /// 0 lifts the limit.
  @discardableResult
  package static func limitHeap(soft: Int64, hard: Int64) -> Int64 {
    _ = sqlite3_hard_heap_limit64(hard)
    _ = sqlite3_soft_heap_limit64(soft)
    return sqlite3_hard_heap_limit64(-1)
  }
}
