internal import SQLite

/// A moment at which the whole of a store's file was checked and found sound.
///
/// As long as nobody has written to the store since, what is copied from it needs no second check.
package struct SoundMoment: Sendable, Hashable {
  let stamp: Stamp

  /// Whether a copy is of this moment, and the store is still as it was.
  package func covers(_ copy: SourceRecord, of store: String) -> Bool {
    copy.stamp == stamp && (try? Stamp(ofFile: store)) == stamp
  }
}
