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

  package var columnNames: [String] { (0..<columnCount).map(columnName) }

  /// The first column of that name, compared by bytes.
  package func columnIndex(named name: String) -> Int? {
    (0..<columnCount).first { Text(columnName($0)) == Text(name) }
  }

  /// The type a column was declared with; nil for an expression.
  package func declaredType(_ index: Int) -> String? {
    unsafe sqlite3_column_decltype(handle, Int32(clamping: index)).map {
      unsafe String(cString: $0)
    }
  }
}
