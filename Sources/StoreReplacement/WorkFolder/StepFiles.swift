internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

// The stores between the versions of a chain: each is the source of the next step, and goes then.
extension WorkFolder {
  /// The store that a step makes; the last one makes the new store itself.
  package func path(ofStep step: Int, of count: Int) -> String {
    step == count - 1 ? nextPath : "\(path)/\(Self.stepPrefix)\(step + 1).sqlite"
  }

  private static let stepPrefix = "step-"

  /// Removes the stores of all steps but the last, of a run that is given up.
  ///
  /// `there` are the names in the run's folder.
  func removeSteps(among there: [String]) throws {
    try removeFiles(beginning: Self.stepPrefix, there)
  }

  private func removeFiles(beginning prefix: String, _ there: [String]) throws(SystemError) {
    for name in there where name.hasPrefix(prefix) { try FileMoves.remove("\(path)/\(name)") }
  }

  /// The store that a step reads.
  package func source(ofStep step: Int, of count: Int) -> String {
    step == 0 ? sourcePath : path(ofStep: step - 1, of: count)
  }

  /// Where the associations of a step's old and new objects are kept.
  package func associations(ofStep step: Int) -> String {
    "\(path)/\(Self.associationsPrefix)\(step + 1).sqlite"
  }

  /// Where the associations through all steps are kept, when they are asked for.
  package var associations: String { "\(path)/\(Self.associationsPrefix)all.sqlite" }

  private static let associationsPrefix = "objects-"

  /// The names of the files of associations that are there.
  package func associationNames() throws -> [String] {
    var names: [String] = []
    try FileSystem.forEachName(in: path) { name in
      if name.hasPrefix(Self.associationsPrefix), name.hasSuffix(".sqlite") { names.append(name) }
    }
    return names.sorted()
  }

  /// The store that scripts make when they run a second time, to be compared with the first.
  package var againPath: String { path + "/again.sqlite" }

  /// The large values of that store, each a file.
  package var againExternals: String { path + "/again_EXTERNAL" }

  /// Removes what later runs of the scripts have made.
  package func removeAgain() throws {
    try replacing("cannot remove the run's files", againPath) {
      try StagedFile.remove(againPath)
      try FileMoves.removeTree(againExternals)
    }
  }

  /// Removes the associations that an earlier run has left; they outlive it until another begins.
  package func removeAssociations() throws {
    try replacing("cannot remove the run's files", path) {
      try removeFiles(beginning: Self.associationsPrefix, namesThere())
    }
  }

  /// Ends what a process was killed in that was making a file of its own.
  package func settle(_ count: Int) throws {
    for step in 0..<count { try StagedFile.settle(path(ofStep: step, of: count)) }
  }

  /// Removes what the steps before have made, when the step's own store does without it: it is not
  /// on top of it.
  package func removeSource(ofStep step: Int, of count: Int) throws {
    let own = path(ofStep: step, of: count)
    let isOnTop = try replacing("cannot look at the store", own) {
      try Overlay.isOne(own) && FileEntry.at(own + Overlay.baseSuffix) == nil
    }
    guard !isOnTop else { return }
    for earlier in (0..<step).reversed() {
      let made = path(ofStep: earlier, of: count)
      guard try replacing("cannot look at the store", made, { try FileEntry.at(made) }) != nil
      else { return }
      try StagedFile.remove(made)
    }
  }
}

extension RunState {
  /// The state from which all steps are done again, when the store that the last one made is gone:
  /// after a failed sync it is removed, for what is on the disk then is unknown.
  package func without(lostStoresIn folder: WorkFolder, of count: Int) throws -> RunState {
    let made = folder.path(ofStep: step - 1, of: count)
    let isLost = try replacing("cannot resume the run", made) { try FileEntry.at(made) == nil }
    guard step > 0, phase < .swapping, isLost else { return self }
    var state = self
    (state.step, state.phase, state.next) = (0, .copying, nil)
    return state
  }
}

// The files of large values that have a name of their own in the new store.
extension WorkFolder {
  /// Puts a copy of each file whose name changes next to the staged store, and makes sure that it
  /// outlives a power cut: an empty file of its name would be taken for it.
  ///
  /// - Parameters:
  ///   - copies: The files, with their names before and after.
  ///   - folder: The folder of the old store's files; one that an earlier step made is among the
  ///     staged ones.
  /// - Throws: ``Failure`` when a file cannot be copied.
  package func placeExternals(_ copies: [ExternalCopy], from folder: String) throws {
    for copy in copies where copy.source != copy.target {
      let target = "\(nextExternals)/\(copy.target)"
      try replacing("cannot copy the file of a large value", "\(folder)/\(copy.source)") {
        try FileSystem.makeFolder(nextExternals)
        try FileMoves.remove(target)
        let staged = "\(nextExternals)/\(copy.source)"
        let source = try FileEntry.at(staged) == nil ? "\(folder)/\(copy.source)" : staged
        // What is missing stays so: the plan has warned of it.
        guard try FileEntry.at(source)?.isRegular == true else { return }
        try FileSystem.clone(source, to: target)
        try FileSystem.sync(target)
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

/// A file of the source that a value of the new store is in, and its name there.
package struct ExternalCopy: Sendable, Hashable {
  /// The file's name in the source.
  package let source: String
  /// Its name in the new store: another one where several values were in one file.
  package let target: String

  /// A file with its names.
  package init(source: String, target: String) {
    self.source = source
    self.target = target
  }
}
