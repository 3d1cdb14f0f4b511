internal import CSQLite

/// What a statement gives back, known before it runs.
extension Statement {
  /// How many columns its rows have; 0 for a statement that gives back none.
  package var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

  package func columnName(_ index: Int) -> String {
    unsafe sqlite3_column_name(handle, Int32(clamping: index)).map {
      unsafe String(cString: $0)
    } ?? ""
  }
}
