internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

/// The file of a run's state: JSON with a check sum.
///
/// What cannot be read, or is of another store, is never guessed at and never written over.
extension RunState {
  private static let format: Int64 = 1
  private static let mostSteps = 100_000
  private static let limit = FormatLimits(bytes: 256 << 20, nodes: 8_000_000, depth: 16)

  /// The state that a run left in its folder; nil when there is none.
  ///
  /// - Throws: ``Failure`` when it cannot be read, or is of another store.
  package static func read(_ folder: WorkFolder) throws -> RunState? {
    let path = folder.statePath
    let bytes = try replacing("cannot read the run's state", path) {
      try FileSystem.record(path, most: limit.bytes)
    }
    guard let bytes else { return nil }
    guard var state = try? decode(JSONValue(reading: bytes, limits: limit), folder) else {
      throw unreadable(folder, "The file is damaged, or of another version of this program.")
    }
    if Array(state.store.utf8) != Array(folder.store.utf8) {
      guard try state.hasMoved(with: folder) else {
        throw unreadable(folder, "It belongs to another store: \(state.store).")
      }
      // A store that was moved with its work folder brings the record of its last run.
      if state.phase == .done { return nil }
      state.store = folder.store
    }
    // The file is the same one through every phase: it is written into, unless by `rename`.
    if state.phase < .swapping, try state.identity != identity(of: folder.store) {
      throw unreadable(folder, "Another file has taken the store's place since the run began.")
    }
    return state
  }

  /// Whether the folder's store is the state's at another path, and the work folder came with it.
  ///
  /// iOS gives an app's files another path when the app is updated. Nothing may be at the old one:
  /// or there are two stores.
  private func hasMoved(with folder: WorkFolder) throws -> Bool {
    let isNextToIt = folder.work == WorkFolder.usualWork(of: folder.store)
    if phase == .done, isNextToIt { return true }
    // A sandbox may refuse to look at a path outside: for this program nothing is there then.
    if (try? FileEntry.at(store)) != nil { return false }
    return try phase >= .swapping
      ? isNextToIt || phase == .done
      : identity == Self.identity(of: folder.store)
  }

  /// What the folder says before the lock is taken.
  ///
  /// - Throws: ``Failure`` of kind `busy` where it cannot be used while another process is at
  ///   work: it may be of that process's store.
  package static func look(at folder: WorkFolder) throws -> RunState? {
    try RunLock.unlessTaken(folder) { try read(folder) }
  }

  /// Writes the state so that the old one or the new one is there, whatever happens; when the
  /// folder is synced, the new one.
  package func write(_ folder: WorkFolder, syncingFolder: Bool = true) throws {
    try replacing("cannot write the run's state", folder.statePath) {
      try FileMoves.write(
        Array((document.text(.pretty) + "\n").utf8), to: folder.statePath,
        syncingFolder: syncingFolder)
    }
  }

  /// Whether a text can be a part of a path, and leads nowhere else.
  private static func isName(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }
  }

  private static func unreadable(_ folder: WorkFolder, _ why: String) -> Failure {
    Failure(
      .unusable, what: "cannot resume the run", subject: folder.statePath,
      why: "\(why) Nothing was changed.",
      remedy: """
        Look at it with `\(folder.command("status"))`; `\(folder.command("abandon"))` removes the \
        run's own files and leaves store and backups as they are.
        """)
  }

  private var document: JSONValue { JSONRecord.seal(members) }

  private var members: [JSONValue.Member] {
    func names(_ list: [String]) -> JSONValue { .array(list.map(JSONValue.string)) }
    let digests = digests.sorted { $0.key < $1.key }
    return [
      .init("format", .integer(Self.format)), .init("run", .string(run)),
      .init("tool", .string(tool)), .init("sqlite", .string(sqlite)),
      .init("shape", .integer(shape)),
      .init("work", .string(work.rawValue)), .init("phase", .string(phase.rawValue)),
      .init("step", .integer(Int64(step))), .init("steps", .integer(Int64(steps))),
      .init("command", names(command)),
      .init("store", .string(store)), .init("identity", JSONRecord.value(identity)),
      .init("digests", .object(digests.map { .init($0.key, .string($0.value)) })),
      .init("source", source.map(JSONRecord.value) ?? .null),
      .init("numbered", numbered.map(JSONRecord.value) ?? .null),
      .init("next", next.map(JSONRecord.value) ?? .null), .init("mark", .string(mark)),
      .init("oldMark", .string(oldMark)),
      .init("failedScript", failedScript.map(JSONValue.string) ?? .null),
      .init("failedValue", failedValue.map(JSONValue.string) ?? .null),
      .init("failedOn", failedOn.map(JSONValue.string) ?? .null),
      .init("restored", restored.map(JSONValue.string) ?? .null),
      .init("undone", undone.map(JSONValue.string) ?? .null),
      .init(
        "backup",
        backup.map { ["path": .string($0.path), "manifest": .string($0.manifest)] } ?? .null),
      .init("blobsToAdd", names(blobsToAdd)), .init("blobsToDrop", names(blobsToDrop)),
    ]
  }

  private static func decode(_ value: JSONValue, _ folder: WorkFolder) throws -> RunState {
    let record = try JSONRecord(sealed: value)
    guard try record.integer("format") == format, isName(try record.string("run")),
      let phase = Phase(rawValue: try record.string("phase")),
      let work = Work(rawValue: try record.string("work"))
    else { throw JSONRecord.Unusable() }
    var state = RunState(
      run: try record.string("run"), tool: try record.string("tool"),
      sqlite: try record.string("sqlite"), store: try record.string("store"),
      identity: try JSONRecord(value["identity"]).identity())
    (state.work, state.phase) = (work, phase)
    // The first builds that had a state did not note it.
    state.shape = value["shape"]?.integer ?? 1
    state.command = try record.strings("command")
    (state.mark, state.oldMark) = (try record.string("mark"), try record.string("oldMark"))
    state.failedScript = value["failedScript"]?.string
    state.failedValue = value["failedValue"]?.string
    state.failedOn = value["failedOn"]?.string
    (state.restored, state.undone) = (value["restored"]?.string, value["undone"]?.string)
    (state.step, state.steps) = (Int(try record.integer("step")), Int(try record.integer("steps")))
    guard 0 <= state.step, state.step <= state.steps, state.steps < Self.mostSteps else {
      throw JSONRecord.Unusable()
    }
    for member in value["digests"]?.members ?? [] {
      state.digests[member.name] = member.value.string
    }
    state.source = try record.optional("source") { try $0.source() }
    state.numbered = try record.optional("numbered") { try $0.image() }
    state.next = try record.optional("next") { try $0.image() }
    state.backup = try record.optional("backup") { record in
      // A run writes into its backup's folder: whatever the file says, that is one of its own.
      let name = try record.string("path").split(separator: "/").last.map(String.init) ?? ""
      guard isName(name) else { throw JSONRecord.Unusable() }
      return BackupRecord(
        path: "\(folder.backups)/\(name)", manifest: try record.string("manifest"))
    }
    state.blobsToAdd = try record.strings("blobsToAdd")
    state.blobsToDrop = try record.strings("blobsToDrop")
    // They become paths, too: nothing but names of external files is let through.
    guard (state.blobsToAdd + state.blobsToDrop).allSatisfy({ ExternalReference($0) != nil })
    else { throw JSONRecord.Unusable() }
    return state
  }
}
