package import SQLite

/// A whole store and what it was made from, kept open for those who only read both, one after the
/// other.
///
/// To open two stores takes longer than to read small ones. Who needs them otherwise, or lets
/// others have them, closes them first.
package final class OpenedStores {
  private var opened: (store: Text, source: Text?, connection: Connection)?

  /// No store is open to begin with.
  package init() {}

  /// A connection to a store, with its source attached as `source` where one is given.
  package func connection(
    to store: String, from source: String? = nil
  ) throws(SQLiteError) -> Connection {
    let names = (store: Text(store), source: source.map { Text($0) })
    if let opened, opened.store == names.store, source == nil || opened.source == names.source {
      return opened.connection
    }
    close()
    let connection = try Connection(path: store, mode: .foreign)
    if let source { try connection.attach(source, as: "source", .readOnly) }
    opened = (names.store, names.source, connection)
    return connection
  }

  /// Gives up the connection to a store, without its source; nil where it is not open.
  package func take(_ store: String) -> Connection? {
    guard let opened, opened.store == Text(store) else { return nil }
    self.opened = nil
    // Where the source cannot be let go of, both are closed.
    if opened.source != nil, (try? opened.connection.detach("source")) == nil {
      try? opened.connection.close()
      return nil
    }
    return opened.connection
  }

  /// Closes what is open.
  package func close() {
    try? opened?.connection.close()
    opened = nil
  }
}
