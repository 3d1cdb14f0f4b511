internal import SQLite

/// The id of a run in a store's metadata: it commits with the data, and tells whose the data is.
enum RunMark {
  /// The run that the last record of a store's `PipelineLog` names; empty when there is none.
  static func last(in connection: Connection) throws -> String {
    let schema = try Schema(of: connection)
    let tables = TableGuard(path: connection.path, connection: connection, schema: schema)
    guard schema.table("Z_METADATA") != nil,
      let metadata = try? MetadataReader(tables: tables).read()
    else { return "" }
    return metadata.lastRun ?? ""
  }
}
