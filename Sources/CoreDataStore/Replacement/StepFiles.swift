// The stores between the versions of a chain: each is the source of the next step, and goes then.
extension RunFolder {
  /// The store that a step makes; the last one makes the new store itself.
  package func path(ofStep step: Int, of count: Int) -> String {
    step == count - 1 ? nextPath : "\(path)/step-\(step + 1).sqlite"
  }

  /// The store that a step reads.
  package func source(ofStep step: Int, of count: Int) -> String {
    step == 0 ? sourcePath : path(ofStep: step - 1, of: count)
  }

  /// Removes what a step has read, when it was made by the step before it.
  package func removeSource(ofStep step: Int, of count: Int) throws {
    if step > 0 { try StagedFile.remove(source(ofStep: step, of: count)) }
  }
}

// The files of large values that have a name of their own in the new store.
extension RunFolder {
  /// Puts a copy of each file whose name changes beside the staged store.
  ///
  /// - Parameters:
  ///   - copies: The files, with their names before and after.
  ///   - folder: The folder of the old store's files; one that an earlier step made is among the
  ///     staged ones.
  /// - Throws: ``StoreError`` when a file cannot be copied.
  package func placeExternals(_ copies: [ExternalCopy], from folder: String) throws {
    for copy in copies where copy.source != copy.target {
      let target = "\(nextExternals)/\(copy.target)"
      try replacing("cannot copy the file of a large value", "\(folder)/\(copy.source)") {
        try FileSystem.makeFolder(nextExternals)
        try FileMoves.remove(target)
        let staged = "\(nextExternals)/\(copy.source)"
        let isStaged = try FileEntry.at(staged) != nil
        try FileSystem.clone(isStaged ? staged : "\(folder)/\(copy.source)", to: target)
      }
    }
    try removeExternals(except: Set(copies.flatMap { [$0.source, $0.target] }))
  }

  /// Removes the files of values that came to nothing, as when a chunk was done a second time.
  private func removeExternals(except needed: Set<String>) throws {
    try replacing("cannot remove the file of a large value", nextExternals) {
      for name in try ExternalFolder.names(in: nextExternals) where !needed.contains(name) {
        try FileMoves.remove("\(nextExternals)/\(name)")
      }
    }
  }
}
