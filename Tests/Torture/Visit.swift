import CoreDataStore
import Foundation
import SQLite
import StoreReplacement

/// What an application does to a store while a command is stopped before one of its calls.
struct Visit: Sendable {
  /// What the application does, in one transaction.
  enum Work: String, CaseIterable, Sendable {
    /// Migrates the store by itself, and writes values of its own.
    case migrate = "an application that migrates"
    /// Adds a box.
    case insert = "an application that inserts"
    /// Deletes a picture, and then its files.
    case delete = "an application that deletes"
  }

  /// What the command is, and what it comes to when it is alone.
  let bench: Bench
  /// What the application does.
  let work: Work
  /// A store that the application has migrated.
  let migrated: URL

  /// What both come to, in the table.
  var name: String { "\(bench.setting.name), stopped, met by \(work.rawValue)" }

  /// Lets an application migrate a store of the sample, and write to it.
  static func migrated(_ setting: Setting, in scratch: URL) throws -> URL {
    let folder = scratch.appending(path: "migrated-\(setting.folder)")
    let store = folder.appending(path: Sample.store)
    guard !FileManager.default.fileExists(atPath: folder.path) else { return store }
    let template = try Template(setting, in: scratch)
    let trial = try Trial(template)
    let end = try Child(words: template.words, folder: trial.folder).run()
    guard end.status == 0 else { throw TortureError(end.text) }
    try FileManager.default.moveItem(at: trial.folder, to: folder)
    let app = try Connection(path: store.path, mode: .own(create: false))
    try app.execute("PRAGMA journal_mode = DELETE")
    try app.execute("UPDATE ZITEM SET ZCOUNT = ZCOUNT + 1000, ZMEMO = 'the application''s'")
    try app.execute(insertion)
    try app.close()
    return store
  }

  /// Stops the command before a call, and lets the application come meanwhile.
  func test(at point: Int, in scratch: URL) throws -> Score {
    let template = try Template(bench.setting, in: scratch)
    let trial = try Trial(template)
    let log = scratch.appending(path: "calls.log")
    try? FileManager.default.removeItem(at: log)
    let command = Child(
      words: template.words, folder: trial.folder, fault: "stop:\(point)", log: log)
    let first = try command.begin()
    defer { first.goOn() }
    var left: Content?
    if try first.isStopped(at: point, in: log), try come(to: trial.store) {
      left = try Content.read(trial.store, in: scratch)
    }
    first.goOn()
    let end = try first.end()
    var problem = try problem(end, left, trial, in: scratch)
    if problem == nil, end.status == 5 {
      var again = try Child(words: template.words, folder: trial.folder).run()
      if again.status != 0, template.words[0] == "run" {
        again = try Child(words: template.words + ["--restart"], folder: trial.folder).run()
      }
      if [.run, .repeatable, .swap].contains(bench.kind) {
        problem = try self.problem(again, left, trial, in: scratch).map { "again: \($0)" }
        if again.status == 5 { problem = "again: \(again.text)" }
      }
    }
    let said = "\(left == nil ? "kept out" : "let in"), status \(end.status): \(end.text)"
    return Score(points: 1, failures: problem.map { ["\($0), at call \(point), \(said)"] } ?? [])
  }

  /// What is wrong; nil when nothing is.
  private func problem(
    _ end: Child.End, _ left: Content?, _ trial: Trial, in scratch: URL
  ) throws -> String? {
    guard !end.isKilled, [0, 5].contains(end.status) else { return "status \(end.status)" }
    let content = try Content.read(trial.store, in: scratch)
    guard let left else {
      return end.status == 0 ? content.difference(to: bench.new) : "status 5"
    }
    if end.status == 5 || work == .migrate {
      return content.difference(to: left).map { "what the application left is not there: \($0)" }
    }
    if let problem = lack(of: content) {
      guard bench.kind == .rollback || bench.kind == .restore,
        content.difference(to: bench.new) == nil
      else { return problem }
      let backups = try StoreBackup.list(WorkFolder(store: trial.store.path))
      let kept = try backups.contains {
        try Content.read(URL(filePath: $0.mainPath), in: scratch).difference(to: left) == nil
      }
      return kept ? nil : "what the application left is in no backup"
    }
    return nil
  }
}

// The application.
extension Visit {
  private static let columns =
    "SELECT count(*) FROM pragma_table_info('ZITEM') WHERE name = 'ZMEMO'"

  private static let insertion = """
    BEGIN IMMEDIATE;
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1001, 1, 1, 'held');
    UPDATE Z_PRIMARYKEY SET Z_MAX = 1001 WHERE Z_NAME = 'Box';
    COMMIT
    """

  /// Does its work; false when it could not, or need not.
  private func come(to store: URL) throws -> Bool {
    var mode = OpenMode.own(create: false)
    mode.wait = .zero
    do {
      let app = try Connection(path: store.path, mode: mode)
      defer { try? app.close() }
      let isOld = try app.integer(Self.columns) == 0
      switch work {
      case .migrate: return try isOld && migrate(app, store)
      case .insert: try app.execute(Self.insertion)
      case .delete: try delete(app, store, isOld)
      }
      return true
    } catch let error as SQLiteError where error.isBusy {
      return false
    }
  }

  private func migrate(_ app: Connection, _ store: URL) throws -> Bool {
    // Several workers come at a time, and a process opens a file once.
    let own = FileManager.default.temporaryDirectory
      .appending(path: "pipeline-torture-\(UUID().uuidString).sqlite")
    try FileManager.default.copyItem(at: migrated, to: own)
    defer { try? FileManager.default.removeItem(at: own) }
    let source = try Connection(path: own.path, mode: .foreign)
    defer { try? source.close() }
    try source.copy(to: app, pagesPerStep: -1)
    let (from, to) = (try Self.files(of: migrated), try Self.files(of: store))
    for name in try FileManager.default.contentsOfDirectory(atPath: from.path) {
      let file = to.appending(path: name)
      guard !FileManager.default.fileExists(atPath: file.path) else { continue }
      try FileManager.default.copyItem(at: from.appending(path: name), to: file)
    }
    return true
  }

  private func delete(_ app: Connection, _ store: URL, _ isOld: Bool) throws {
    let copy = isOld ? "NULL" : "ZCOPY"
    let values = try app.rows("SELECT ZDATA, \(copy) FROM ZPICTURE WHERE Z_PK = 12")
    let names = values.flatMap { [$0[0], $0[1]] }.compactMap { value -> String? in
      guard case .blob(let bytes) = value else { return nil }
      return ExternalReference(stored: bytes)?.name
    }
    try app.execute("DELETE FROM ZPICTURE WHERE Z_PK = 12")
    let folder = try Self.files(of: store)
    for name in names { try? FileManager.default.removeItem(at: folder.appending(path: name)) }
  }

  private static func files(of store: URL) throws -> URL {
    URL(filePath: try StoreFiles(store.path).externalDataFolder)
  }

  /// What a store lacks of the command's result and the application's work; nil when it has both.
  private func lack(of content: Content) -> String? {
    if !content.missing.isEmpty { return "missing files: \(content.missing)" }
    let touched = work == .insert ? "ZBOX" : "ZPICTURE"
    let others = bench.new.tables.filter { $0.key != touched && $0.key != "Z_PRIMARYKEY" }
    if let table = others.first(where: { content.tables[$0.key] != $0.value }) {
      return "table \(table.key) differs"
    }
    let (found, alone) = (content.tables[touched] ?? [], bench.new.tables[touched] ?? [])
    let (more, fewer) = work == .insert ? (found, alone) : (alone, found)
    return more.count == fewer.count + 1 && Set(fewer).isSubset(of: more)
      ? nil : "\(found.count) rows in \(touched)"
  }
}
