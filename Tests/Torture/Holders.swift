import CoreDataStore
import Foundation
import SQLite
import StoreReplacement

/// Another process that has the store open all the while, reads it or writes to it.
struct Holder: Sendable, CustomStringConvertible {
  /// What it does.
  enum Work: String, CaseIterable, Sendable {
    /// Has read once, and keeps the file open.
    case idle
    /// Reads again and again, in transactions.
    case reader
    /// Adds a box every few milliseconds.
    case writer
    /// Adds a box now and then.
    case slowWriter
  }

  let work: Work
  let journal: String
  let method: SwapChoices.Method

  var description: String { "\(work.rawValue), \(journal), \(method.rawValue)" }

  /// Every combination.
  static var all: [Holder] {
    Work.allCases.flatMap { work in
      ["WAL", "DELETE"].flatMap { journal in
        [SwapChoices.Method.replace, .rename].map {
          Holder(work: work, journal: journal, method: $0)
        }
      }
    }
  }

  /// What the holding process does, until the file `stop` is there: `Torture hold FOLDER WORK`.
  static func hold(_ folder: URL, _ work: Work) throws {
    var mode = OpenMode.own(create: false)
    mode.wait = .seconds(5)
    let app = try Connection(path: folder.appending(path: Sample.store).path, mode: mode)
    _ = try app.integer("SELECT count(*) FROM ZBOX")
    try Data().write(to: folder.appending(path: "holding"))
    var key: Int64 = 1000
    while !FileManager.default.fileExists(atPath: folder.appending(path: "stop").path) {
      switch work {
      case .idle: break
      case .reader:
        try? app.execute("BEGIN; SELECT * FROM ZBOX; SELECT * FROM ZITEM; ROLLBACK")
      case .writer, .slowWriter:
        key += 1
        if (try? app.execute(insert(key))) != nil {
          try note(key, folder)
        }
      }
      Thread.sleep(forTimeInterval: work == .slowWriter ? 0.2 : 0.003)
    }
    try app.close()
  }

  private static func insert(_ key: Int64) -> String {
    """
    BEGIN IMMEDIATE; INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (\(key), 1, 1, 'held');
    UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_NAME = 'Box'; COMMIT
    """
  }

  private static func note(_ key: Int64, _ folder: URL) throws {
    let file = folder.appending(path: "written")
    if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("\(key)\n".utf8))
  }
}

extension Holder {
  /// Runs while somebody has the store: status 5 or a right result, then a run of one's own; no row
  /// that was committed is missing at the end.
  func test(in scratch: URL) throws -> Score {
    let trial = try Trial(try Template(Setting(.run, method), in: scratch))
    try prepare(trial)
    let holder = try start(trial)
    defer { if holder.isRunning { holder.terminate() } }
    let words = try Template(Setting(.run, method), in: scratch).words
    var failures: [String] = []
    for _ in 0..<3 {
      let end = try Child(words: words, folder: trial.folder).run()
      if ![0, 5].contains(end.status) || end.isKilled {
        failures.append("status \(end.status): \(end.text), \(self)")
      }
      if end.status == 0 { break }
    }
    try Data().write(to: trial.folder.appending(path: "stop"))
    holder.waitForEnd()
    if holder.terminationStatus != 0 { failures.append("the holder failed, \(self)") }
    var last = try Child(words: words, folder: trial.folder).run()
    if last.status == 5 {
      last = try Child(words: words + ["--restart"], folder: trial.folder).run()
    }
    if last.status != 0 { failures.append("alone: status \(last.status): \(last.text), \(self)") }
    if let lost = try loss(trial, scratch) { failures.append("\(lost), \(self)") }
    return Score(points: 1, failures: failures)
  }

  private func prepare(_ trial: Trial) throws {
    let app = try Connection(path: trial.store.path, mode: .own(create: false))
    try app.setJournalMode(journal)
    try app.close()
  }

  private func start(_ trial: Trial) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["hold", trial.folder.path, work.rawValue]
    try process.start { _ in }
    let sign = trial.folder.appending(path: "holding").path
    while process.isRunning, !FileManager.default.fileExists(atPath: sign) {
      Thread.sleep(forTimeInterval: 0.005)
    }
    return process
  }

  /// What is missing of what was there and of what was written.
  private func loss(_ trial: Trial, _ scratch: URL) throws -> String? {
    let written =
      (try? String(
        contentsOf: trial.folder.appending(path: "written"), encoding: .utf8)) ?? ""
    let keys = written.split(separator: "\n").compactMap { Int64($0) } + (1...12)
    let content = try Content.read(trial.store, in: scratch)
    let boxes = content.tables["ZBOX"]?.count ?? 0
    guard content.tables["ZDRAFT"] == nil, content.missing == [] else { return "not migrated" }
    return boxes == keys.count ? nil : "\(boxes) boxes of \(keys.count)"
  }
}
