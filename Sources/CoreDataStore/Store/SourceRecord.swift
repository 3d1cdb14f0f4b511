package import SQLite

/// The source of a run as it was copied.
package struct SourceRecord: Sendable, Hashable {
  /// The content.
  package var image: PageImage
  /// What shows cheaply that it was written since.
  package var stamp: Stamp
  /// The journal mode that the store's file asks for: "wal" or "delete".
  package var journal: String

  package init(image: PageImage, stamp: Stamp, journal: String) {
    self.image = image
    self.stamp = stamp
    self.journal = journal
  }
}
