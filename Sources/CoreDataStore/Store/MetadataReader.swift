internal import Formats
package import SQLite

/// Reads Z_METADATA: one row with the store's UUID and a property list.
struct MetadataReader {
  let tables: TableGuard

  private var connection: Connection { tables.connection }
  private static let longestUUID: Int64 = 1024

  /// The metadata, or why there are none.
  func read() throws -> Metadata {
    try recognise()
    try tables.require(["Z_UUID", "Z_PLIST"], of: "Z_METADATA")
    // In one statement, which has the values as far as these are not too large.
    let rows = try connection.rows(
      """
      SELECT typeof(Z_UUID), length(Z_UUID), typeof(Z_PLIST), length(Z_PLIST),
        CASE WHEN length(Z_UUID) <= \(Self.longestUUID) THEN Z_UUID END,
        CASE WHEN length(Z_PLIST) <= \(FormatLimits.propertyList.bytes) THEN Z_PLIST END
      FROM Z_METADATA LIMIT 2
      """)
    guard rows.count == 1 else {
      throw failure("Z_METADATA has \(rows.isEmpty ? "no row" : "more than one row").")
    }
    try check(rows[0])
    guard let uuid = rows[0][4].string, let bytes = rows[0][5].blob else {
      throw failure("Z_METADATA has no UUID or no property list.")
    }
    do {
      return try Metadata(uuid: uuid, plist: bytes)
    } catch let error as FormatError {
      throw failure("Its property list cannot be read: \(error).")
    } catch let error as Metadata.Problem {
      throw failure(error.why)
    }
  }

  /// Distinguishes a store that lost its metadata from a database that never had any.
  private func recognise() throws {
    let names = tables.schema.objects.map(\.name)
    guard !names.contains("Z_METADATA") else { return }
    guard !names.contains("Z_PRIMARYKEY") else {
      throw failure("The table Z_METADATA is missing.")
    }
    throw Failure(
      .notCoreData, what: "cannot open the store", subject: tables.path,
      why: "It is an SQLite database, and not a Core Data store: it has no table Z_METADATA.",
      remedy: "Give the file of a Core Data or SwiftData store.")
  }

  private func check(_ row: [Value]) throws {
    guard row[0].string == "text", (1...Self.longestUUID).contains(row[1].integer ?? 0) else {
      throw failure("The store has no UUID: Z_METADATA.Z_UUID is not a short text.")
    }
    guard row[2].string == "blob" else {
      throw failure("Z_METADATA.Z_PLIST is \(row[2].string ?? "nothing"), and no property list.")
    }
    let limit = FormatLimits.propertyList.bytes
    guard let length = row[3].integer, length <= limit else {
      throw failure("The property list is larger than \(ByteSize.text(limit)).")
    }
  }

  private func failure(_ why: String) -> Failure {
    Failure(
      .unusable, what: "cannot read the metadata", subject: tables.path, why: why,
      remedy: Failure.restore)
  }
}

extension Metadata {
  /// The metadata of the store that a connection has open.
  ///
  /// - Throws: ``Failure`` or `SQLiteError`, also when there are none.
  package init(of connection: Connection) throws {
    let tables = TableGuard(
      path: connection.path, connection: connection, schema: try Schema(of: connection))
    self = try MetadataReader(tables: tables).read()
  }
}
