package import SQLite

/// The id of a run in a store's metadata: it commits with the data, and shows which run wrote the
/// data.
package enum CommitMarker {
  /// The run that the last record of a store's `PipelineLog` names; empty when there is none.
  package static func last(in connection: Connection) throws -> String {
    guard try Schema(of: connection).table("Z_METADATA") != nil,
      let metadata = try? Metadata(of: connection)
    else { return "" }
    return metadata.lastRun ?? ""
  }
}
