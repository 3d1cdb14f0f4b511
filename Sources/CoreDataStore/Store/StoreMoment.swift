package import SQLite

/// What a store was when it was looked at.
///
/// Whatever was decided then, a plan above all, holds for that store alone: before something is
/// built on it, the copy that is read has to be of the same moment.
package struct StoreMoment: Sendable, Hashable {
  /// What shows cheaply that the store was written since; taken before anything was read.
  let stamp: Stamp
  let uuid: String
  /// The version hashes of its entities.
  let hashes: [String: VersionHash]
  /// Whether the whole of the file was checked and found sound.
  package let isSound: Bool
  /// What the check has shown of it; nil where SQLite made it.
  let walk: Walk?

  /// What a walk over a store's pages has shown, by a name that needs no knowledge of SQLite.
  package typealias Walk = PageWalk

  /// Whether a copy needs no check of its own: the store was found sound, and nothing was written
  /// to it between that and now.
  package func isSound(_ copy: SourceRecord, of store: String) -> Bool {
    isSound && copy.stamp == stamp && isNow(store)
  }

  /// How long a processor worked for a walk over all pages; nil where there was none.
  package var walkTime: Duration? { walk?.time }

  /// What the check of the store has shown, where that is true of the copy, too.
  package func walk(of copy: SourceRecord, of store: String) -> PageWalk? {
    isSound(copy, of: store) ? walk : nil
  }

  /// Whether a copy, made just now, is of the store as it was at this moment.
  ///
  /// The stamp is read after the copy: one commit between the two moments, and it differs. Hashes
  /// and UUID are read from the copy itself, where a file system keeps times too coarsely to show
  /// it.
  ///
  /// - Parameters:
  ///   - copy: The path of the copy, which no connection has open.
  ///   - store: The path of the store.
  /// - Returns: False when the store was written since, or the copy is of another store.
  /// - Throws: ``Failure`` when the copy cannot be read.
  package func holds(for copy: String, of store: String) throws -> Bool {
    try look(at: copy, of: store) != nil
  }

  /// What a copy of the store says of itself, read once.
  package struct Copied: Sendable {
    package let metadata: Metadata
    package let pageSize: Int
    package let schema: Schema
    /// What its file looked like.
    package let file: DatabaseFile?

    /// Whether it has a history.
    package var hasHistory: Bool { schema.table("ATRANSACTION") != nil }
  }

  /// The same as ``holds(for:of:)``, with what was read for it; nil when it does not hold.
  package func look(at copy: String, of store: String) throws -> Copied? {
    guard isNow(store) else { return nil }
    return try replacing("cannot read the copy of the store", copy) {
      let connection = try Connection(path: copy, mode: .foreign)
      defer { try? connection.close() }
      return try connection.readingAtOnce {
        let metadata = try Metadata(of: connection)
        guard metadata.uuid == uuid && metadata.hashes == hashes else { return nil }
        return Copied(
          metadata: metadata, pageSize: Int(try connection.integer("PRAGMA page_size") ?? 4096),
          schema: try Schema(of: connection), file: connection.file)
      }
    }
  }

  /// Whether nothing was written to the store since.
  package func isNow(_ store: String) -> Bool { (try? Stamp(ofFile: store)) == stamp }
}
