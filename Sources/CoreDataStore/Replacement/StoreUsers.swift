/// Other processes that have a store open.
package enum StoreUsers {
  /// Waits until nobody else has the store's file open, where the system tells.
  ///
  /// In rollback mode "a connection at rest holds no lock" (File Locking And Concurrency,
  /// UNLOCKED), and would go on with what it remembers of the old store.
  ///
  /// - Throws: ``StoreError`` of kind `busy` when somebody has it for longer than `wait`.
  package static func waitForEnd(_ folder: RunFolder, wait: Duration) throws {
    try replacing(what, folder.store) {
      try waitForEnd(OpenDescriptor(reading: folder.store), folder, wait)
    }
  }

  /// The same for a file that is open here, and nowhere else in this process.
  static func waitForEnd(
    _ main: borrowing OpenDescriptor, _ folder: RunFolder, _ wait: Duration
  ) throws {
    // Somebody may be looking at the file for a moment only.
    let end = ContinuousClock.now + max(wait, .milliseconds(100))
    while main.isOpenElsewhere() {
      guard ContinuousClock.now < end else { throw busy(folder) }
      Pause.short()
    }
  }

  private static let what = "cannot replace the store"

  /// The error that names them, as far as they are known.
  static func busy(_ folder: RunFolder) -> StoreError {
    StoreError(
      .busy, what: what, subject: folder.store,
      why: "Another process has it open, an application or an extension. Nothing was changed."
        + FileHolders.sentence(folder.store),
      remedy: "Quit whatever uses the store, and give the same command again.")
  }
}
