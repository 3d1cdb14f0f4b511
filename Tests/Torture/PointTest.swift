import CoreDataStore
import Foundation
import SQLite
import StoreReplacement

/// One point: a run that goes wrong at one call, what is found then, and the same command again.
struct PointTest {
  private let bench: Bench
  let template: Template
  var scratch: URL { template.scratch }

  /// The pages of the store before the command.
  private let image: PageImage

  /// The test of a bench in a folder of its own.
  init(_ bench: Bench, in scratch: URL) throws {
    self.bench = bench
    template = try Template(bench.setting, in: scratch)
    image = try template.image()
  }

  /// Lets the run go wrong at a call; nil when all was as it must be, else what was not.
  func fail(_ mode: Mode, at point: Int) throws -> String? {
    try fail(mode, at: point, in: Trial(template)) {}
  }

  /// The same in a folder that is there; `then` comes when the process has ended.
  func fail(
    _ mode: Mode, at point: Int, in trial: Trial, then: () throws -> Void
  ) throws -> String? {
    let (end, calls) = try start(trial, mode.fault(at: point))
    // A run is not the same to the last call each time: an identifier begins with the same letters.
    guard calls.count >= point else { return end.status == 0 ? nil : text(end, calls, point) }
    try then()
    let side: Side
    let wanted: PageImage?
    do {
      side = try self.side(trial)
      // A retry that has not begun the exchange starts over, as another run with a mark of its own.
      let isMadeAgain = bench.kind == .retry
      wanted = try side == .old && !isMadeAgain ? Pages.byBackup(trial, in: scratch) : nil
      try check(end, mode, side, mayBeQuiet: isOfNoAccount(calls[point - 1]))
    } catch let error as TortureError {
      return "\(error), \(text(end, calls, point))"
    }
    return try finish(trial, wanted).map { why in
      "afterwards: \(why), \(side.rawValue), \(text(end, calls, point))"
    }
  }

  /// Whether nothing depends on a call: a copy that is thrown away at once, the file without a name
  /// on which the sharing of blocks is tried, what is shown of a run's progress, an empty -wal, a
  /// -shm or a finished journal of which SQLite itself does not say that it could not be removed.
  private func isOfNoAccount(_ call: String) -> Bool {
    call.contains("/pipeline-look-") || call.contains("/progress.json")
      || call.contains("xShmUnmap")
      || call.contains("write") && call.hasSuffix("/trial")
      || call.contains("xDelete") && (call.hasSuffix("-wal") || call.hasSuffix("-journal"))
  }

  /// Kills the run at a call, and the same command again at every so many calls of its own.
  ///
  /// - Returns: How often a second kill came, and what was wrong.
  func killTwice(at point: Int, from first: Int, every step: Int) throws -> Score {
    let trial = try Trial(template)
    guard try start(trial, Mode.kill.fault(at: point)).0.isKilled else { return Score() }
    let place = try WorkFolder(store: trial.store.path)
    let state = try RunState.read(place)
    let saved = scratch.appending(path: "saved")
    try? FileManager.default.removeItem(at: saved)
    try FileManager.default.copyItem(at: trial.folder, to: saved)
    var failures: [String] = []
    var second = first
    while true {
      let trial = try Trial(saved, state, in: scratch)
      let (end, calls) = try start(trial, Mode.kill.fault(at: second))
      guard end.isKilled else { break }
      do {
        _ = try side(trial)
        if let why = try finish(trial, nil, tries: 2) { throw TortureError("afterwards: \(why)") }
      } catch let error as TortureError {
        failures.append("\(error), second kill, \(text(end, calls, second)), first at \(point)")
      }
      second += step
    }
    return Score(points: (second - first) / step, failures: failures)
  }

  /// Lets the run come to the end of the disk, and to its own end when there is more of it.
  func inNeed(_ need: () throws -> Void, help: () throws -> Void) throws -> String? {
    let trial = try Trial(template)
    try need()
    let end = try Child(words: template.words, folder: trial.folder, countsOnSpace: true).run()
    try help()
    do {
      try check(end, .full, try side(trial), mayBeQuiet: true)
    } catch let error as TortureError {
      return "\(error): \(end.text)"
    }
    return try finish(trial, nil).map { "afterwards: \($0); status \(end.status): \(end.text)" }
  }

  private func start(_ trial: Trial, _ fault: String) throws -> (Child.End, [String]) {
    let log = scratch.appending(path: "calls.log")
    try? FileManager.default.removeItem(at: log)
    let end = try Child(words: template.words, folder: trial.folder, fault: fault, log: log).run()
    return (end, try Child.calls(in: log))
  }

  /// Which store it is.
  enum Side: String {
    case old = "the old store"
    case new = "the new store"
  }

  /// What an application finds, in a copy of the store.
  private func side(_ trial: Trial) throws -> Side {
    let content = try look(at: trial.store, trial)
    if content.difference(to: bench.old) == nil {
      guard content.image == image else { throw TortureError("other pages than before") }
      return try bench.kind == .output ? sideOfOutput(trial) : .old
    }
    return try newSide(content, trial)
  }

  /// The store that a command makes at a place of its own: whole, or not there.
  private func sideOfOutput(_ trial: Trial) throws -> Side {
    let place = trial.place(of: bench.setting.result)
    guard FileManager.default.fileExists(atPath: place.path) else { return .old }
    return try newSide(look(at: place, trial), trial)
  }

  private func newSide(_ content: Content, _ trial: Trial) throws -> Side {
    if let notNew = content.difference(to: bench.new) {
      throw TortureError("a mixture: \(content.difference(to: bench.old) ?? ""), \(notNew)")
    }
    if let staged = try Pages.staged(trial), staged != content.image {
      throw TortureError("other pages than the staged store's")
    }
    return .new
  }

  private func look(at store: URL, _ trial: Trial) throws -> Content {
    do {
      return try SecondSQLite.read(store, in: scratch)
    } catch {
      throw TortureError("the store cannot be opened: \(error)")
    }
  }

  private func check(_ end: Child.End, _ mode: Mode, _ side: Side, mayBeQuiet: Bool) throws {
    if mode.kills {
      guard end.isKilled else { throw TortureError("it was not killed") }
      return
    }
    guard !end.isKilled else { throw TortureError("it crashed") }
    switch (side, end.status) {
    case (.old, mode.refusal): return
    case (.new, 0):
      guard mayBeQuiet || mode == .interrupt || end.text.contains("warning") else {
        throw TortureError("no warning")
      }
    default: throw TortureError("status \(end.status) with \(side.rawValue)")
    }
  }

  /// Gives the same command again, or resumes a restore; nil when all is as after one command.
  ///
  /// `tries` counts the commands so far; `wanted` are the pages that SQLite's backup API has made.
  private func finish(_ trial: Trial, _ wanted: PageImage?, tries: Int = 1) throws -> String? {
    if let why = try finishContent(trial, tries: tries) { return why }
    let found = try Content.read(trial.place(of: bench.setting.result), in: scratch).image
    if let wanted, wanted != found { return "other pages than the backup API's" }
    if let staged = try Pages.staged(trial), staged != found {
      return "other pages than the staged store's"
    }
    return nil
  }

  private func finishContent(_ trial: Trial, tries: Int) throws -> String? {
    // A way back that is done to its end is not resumed: the same command is another one.
    let state = try RunState.read(WorkFolder(store: trial.store.path))
    if bench.kind == .rollback || bench.kind == .restore, state?.phase == .done {
      let content = try Content.read(trial.store, in: scratch)
      if content.difference(to: bench.new) == nil {
        return try Self.check(trial, bench, in: scratch, tries: tries)
      }
    }
    let output = trial.place(of: bench.setting.result).path
    if bench.kind == .output, state?.phase == .done,
      FileManager.default.fileExists(atPath: output)
    {
      if let why = try refusal(trial) { return why }
      return try Self.check(trial, bench, in: scratch, tries: tries)
    }
    let isRestore = bench.kind == .restore && state?.work == .restore && state?.phase != .done
    let words = isRestore ? ["resume", Sample.store] : template.words
    let end = try Child(words: words, folder: trial.folder).run()
    guard end.status == 0, !end.isKilled else { return "status \(end.status): \(end.text)" }
    return try Self.check(trial, bench, in: scratch, tries: tries)
  }

  /// Nil where the same command is refused: what it has made is not written over.
  ///
  /// What it could not remove is given up.
  private func refusal(_ trial: Trial) throws -> String? {
    let end = try Child(words: template.words, folder: trial.folder).run()
    guard end.status == 2, end.text.contains("Something is there already") else {
      return "status \(end.status): \(end.text)"
    }
    _ = try Child(words: ["abandon", Sample.store], folder: trial.folder).run()
    return nil
  }

  /// Holds what is there now against what an uninterrupted command leaves; nil when it is that.
  static func check(
    _ trial: Trial, _ bench: Bench, in scratch: URL, tries: Int = 1
  ) throws -> String? {
    let result = trial.place(of: bench.setting.result)
    let content = try Content.read(result, in: scratch)
    if let difference = content.difference(to: bench.new) { return difference }
    if !content.strays.isEmpty { return "files that nothing refers to: \(content.strays)" }
    // A second command that was killed as it began leaves the state that it was about to write.
    let files = try trial.files().filter { tries == 1 || !$0.hasSuffix("/state.json.new") }
    guard try files == bench.files || isGivenUp(trial, bench) else {
      return "other files are left: \(Set(files).symmetricDifference(bench.files).sorted())"
    }
    return try backups(trial, bench, in: scratch, tries)
  }

  /// Whether what was left of a run that made a store elsewhere has been given up.
  private static func isGivenUp(_ trial: Trial, _ bench: Bench) throws -> Bool {
    let run = try WorkFolder(store: trial.store.path).path
    return bench.kind == .output && !FileManager.default.fileExists(atPath: run)
  }

  /// All backups verify, and one of them is the old store.
  private static func backups(
    _ trial: Trial, _ bench: Bench, in scratch: URL, _ tries: Int
  ) throws -> String? {
    let backups = try StoreBackup.list(WorkFolder(store: trial.store.path))
    // A retry starts over when it is killed before the exchange, and what it had backed up by then
    // is the same old store once more. A restore that is given again after the exchange restores
    // again, and backs up what the first one has put there.
    let more = backups.count - bench.backups
    let most = bench.kind == .retry ? tries : bench.kind == .restore ? tries - 1 : 0
    guard (0...most).contains(more) else { return "\(backups.count) backups" }
    var found = 0
    for backup in backups {
      try backup.verify()
      let content = try Content.read(URL(filePath: backup.mainPath), in: scratch)
      if content.difference(to: bench.old) == nil { found += 1 }
    }
    let needed = bench.kind == .output ? 0 : bench.kind == .retry ? 1 + more : 1
    return found == needed
      ? nil : "\(found) backups are the old store"
  }

  private func text(_ end: Child.End, _ calls: [String], _ point: Int) -> String {
    let call = calls.count >= point ? calls[point - 1] : "\(calls.count) calls"
    let place = call.replacing(scratch.path, with: "").replacing("\t", with: " ")
    return "at \(place); status \(end.status): \(end.text.replacing("\n", with: " "))"
  }
}
