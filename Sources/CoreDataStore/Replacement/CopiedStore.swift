internal import SQLite

/// A store that is held still while a backup is made of it.
protocol CopiedStore {
  /// Its content, where nobody else can change it.
  var image: PageImage? { get }
  /// Its journal mode.
  var journal: String { get }

  /// Copies the main file and its -wal, as they are.
  func clone(to path: String) throws
}
