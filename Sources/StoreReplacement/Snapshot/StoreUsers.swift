internal import CoreDataStore
internal import OperatingSystem

/// Other processes that have a store open.
package enum StoreUsers {
  /// Waits until no other process has the store's file open, where the system tells.
  ///
  /// In rollback mode "a connection at rest holds no lock" (File Locking And Concurrency,
  /// UNLOCKED), and would continue with what it remembers of the old store.
  ///
  /// - Throws: ``StoreError`` of kind `busy` when another process has it for longer than `wait`.
  package static func waitForEnd(_ folder: WorkFolder, wait: Duration) throws {
    try replacing(what, folder.store) { _ = try openAlone(folder, wait) }
  }

  /// Opens the store's file, which nothing else has open then, where the system tells.
  ///
  /// The file is closed between two looks, and for a time that no other process keeps: two that
  /// wait here would else see each other until both give up.
  static func openAlone(_ folder: WorkFolder, _ wait: Duration) throws -> OpenDescriptor {
    // Another process may look at the file for a moment only.
    let end = ContinuousClock.now + max(wait, .milliseconds(100))
    while true {
      let main = try OpenDescriptor(reading: folder.store)
      if !main.isOpenElsewhere() { return main }
      guard ContinuousClock.now < end else { throw busy(folder) }
      _ = consume main
      Pause.uneven()
    }
  }

  private static let what = "cannot replace the store"

  /// The error that names them, as far as they are known.
  static func busy(_ folder: WorkFolder) -> StoreError {
    StoreError(
      .busy, what: what, subject: folder.store,
      why: "Another process has it open, an application or an extension. Nothing was changed."
        + FileHolders.sentence(folder.store),
      remedy: "Quit whatever uses the store, and give the same command again.")
  }
}
