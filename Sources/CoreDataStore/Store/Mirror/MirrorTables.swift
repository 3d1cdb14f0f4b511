/// The tables in which Core Data keeps what it mirrors to CloudKit.
///
/// There have been 17 generations of them, so what a store has is read from its schema and from
/// Z_PRIMARYKEY. They are known from documentation, not from a real store.
package enum MirrorTables {
  /// The numbers of their entities in Z_PRIMARYKEY.
  package static let numbers = 17_000...17_999
  /// Which record of the server each object is.
  package static let records = "ANSCKRECORDMETADATA"
  /// The objects whose changes wait to be exported.
  package static let analyzer = "ANSCKHISTORYANALYZERSTATE"
  /// The pairs of relationships from many to many.
  package static let relationships = "ANSCKMIRROREDRELATIONSHIP"
  /// The zones of the server.
  package static let zones = "ANSCKRECORDZONEMETADATA"

  /// The entry of the metadata that makes Core Data fetch the zones again.
  package static let fetchesZones = "PFCloudKitMetadataNeedsZoneFetchAfterClientMigrationKey"
  /// Patterns of the entries that belong to a mirror.
  package static let entries = ["PFCloudKit*", "NSCloudKit*"]

  /// Whether a table belongs to a mirror: as the table of an entity, or of pairs of two entities.
  package static func has(_ table: String) -> Bool {
    if table.hasPrefix("ANSCK") { return true }
    guard table.hasPrefix("Z_") else { return false }
    let digits = table.dropFirst(2).prefix { "0123456789".contains($0) }
    return Int(digits).map(numbers.contains) == true
  }
}
