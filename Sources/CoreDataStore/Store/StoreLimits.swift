import SQLite

/// What stores may take of this process's memory.
package enum StoreLimits {
  /// The longest text, blob or row in bytes that is read or written, in the whole process: 100 MB
  /// unless something else is set.
  ///
  /// A few values are in memory at a time, so that a store with a longer one could take more than
  /// there is; it is refused. Large values in files of their own do not count. It holds for stores
  /// that are opened after it is set.
  package static var longestValue: Int {
    get { Int(SQLiteLibrary.longestValue) }
    set { SQLiteLibrary.limitValues(to: Int32(clamping: max(1 << 20, newValue))) }
  }

  /// Has threads that use stores wait for each other as little as possible; to be called at a
  /// program's start, before anything else.
  package static func prepareProcess() { SQLiteLibrary.takeMemory() }

  /// The default.
  package static var usualLongestValue: Int { Int(SQLiteLibrary.usualLongestValue) }
}
