internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import StoreMigration
internal import StoreReplacement

/// Says what a run does, as events, and keeps its warnings.
final class RunLog {
  /// Pieces of work that events name, whether or not a stage asks for them.
  static let (compare, finish, swap) = ("compare", "finish", "swap")
  static let (transform, verify) = ("transform", "verify")

  /// The run's id.
  let run: String
  /// What needs a person's eye, in the order it was met, each once.
  private(set) var warnings: [String] = []

  private let store: String
  private let events: @Sendable (ProgressEvent) -> Void
  private var stage: String?
  private var folder: WorkFolder?
  private var progressNote: RunProgress.Note?
  /// Until when the folder says nothing new of a stage: it is written to once a second at most.
  private var nextNote = Deadline(in: .seconds(1))
  /// How many of the warnings are a script's words.
  private var scriptWarnings = 0
  private var nextPages = Deadline(in: .milliseconds(50))
  /// How far the run is as a whole.
  private var fraction: RunFraction?
  /// The log of the run whose work is done a second time; that one alone says how far it is.
  private let original: RunLog?

  init(
    run: String, store: String, fraction: RunFraction? = nil,
    events: @escaping @Sendable (ProgressEvent) -> Void
  ) {
    self.run = run
    self.store = store
    self.fraction = fraction
    self.events = events
    original = nil
  }

  /// The log of work that is done a second time: its progress is that of the run, the rest of what
  /// it says was said the first time.
  init(repeating original: RunLog) {
    (run, store, self.original) = (original.run, original.store, original)
    events = { _ in }
  }

  func start(over fresh: RunFraction) { fraction?.start(over: fresh) }

  /// Says where the run is in its folder, too, from now on, and takes up the warnings that it gave
  /// before it was interrupted.
  func tell(in folder: WorkFolder) {
    self.folder = folder
    // A run does not fail for want of it.
    progressNote = try? RunProgress.Note(folder)
    let earlier = RunWarnings.read(run: run, folder)
    warnings = earlier + warnings.filter { !earlier.contains($0) }
    if warnings != earlier { RunWarnings.write(warnings, run: run, folder) }
  }

  func start() { say(.runStarted) }

  func start(stage: String) {
    self.stage = stage
    nextPages = Deadline(in: .milliseconds(50))
    say(.stageStarted)
    note(RunProgress(stage: stage))
  }

  func finish(stage: String) {
    say(.stageFinished)
    self.stage = nil
  }

  /// The new store is in its place.
  func swapped() { say(.swapped) }

  func finish(status: Int32) { say(.runFinished, status: status) }

  func finish(_ summary: RunSummary) { say(.runFinished, status: summary.status, summary) }

  func finish(_ error: any Error) {
    say(.runFinished, message: RunStatus.words(of: error), status: RunStatus.of(error))
  }

  func progress(
    entity: String, rows: Int, total: Int?, bytes: Int, countsParts: Bool = false
  ) {
    say(
      .progress, entity: entity, rows: rows, total: total, bytes: bytes, countsParts: countsParts)
    guard let stage, nextNote.isOver else { return }
    note(RunProgress(stage: stage, entity: entity, rows: rows, total: total))
  }

  /// A step of the swap begins, which has no rows.
  func progress(_ step: SwapStep) {
    let steps = SwapStep.allCases
    say(.progress, rows: steps.firstIndex(of: step) ?? 0, total: steps.count)
  }

  /// Pages of the store were copied, of which there is a report twenty times a second at most.
  func progress(pages: Int, of total: Int) {
    guard nextPages.isOver else { return }
    say(.progress, rows: pages, total: total)
    nextPages = Deadline(in: .milliseconds(50))
  }

  private func note(_ progress: RunProgress) {
    guard let progressNote else { return }
    progressNote.write(progress)
    nextNote = Deadline(in: .seconds(1))
  }

  /// A step of making the store whole is done.
  func finishing(_ progress: CopyProgress) throws {
    self.progress(
      entity: progress.entity, rows: progress.rows, total: progress.total, bytes: progress.bytes,
      countsParts: true)
    try Task.checkCancellation()
  }

  /// Rows of a copy went by; ends the work when the run is cancelled.
  func progress(_ progress: CopyProgress) throws {
    self.progress(
      entity: progress.entity, rows: progress.rows, total: progress.total, bytes: progress.bytes)
    try Task.checkCancellation()
  }

  /// Something failed that does not end the run.
  func warn(_ error: any Error) { warn((error as? Failure)?.sentence ?? "\(error)") }

  /// Something needs a person's eye.
  func warn(_ message: String) {
    guard !warnings.contains(message) else { return }
    warnings.append(message)
    if let folder { RunWarnings.write(warnings, run: run, folder) }
    say(.warning, message: message)
  }

  /// Links were given up because a relationship leads to one object.
  func warn(discarded count: Int, of relationship: PropertyReference) {
    warn("\(relationship): \(Plural.text(count, "link")) discarded, one object stays")
  }

  /// What a script wants the user to know: one line each, with the script's name before it.
  ///
  /// The first hundred of a run are shown, and the rest is counted; `count` is how many the script
  /// gave, of which it keeps some. A stage that comes with the program has no lines to show.
  func warn(
    of script: String, _ warnings: [ScriptWarning], count: Int, showsLines: Bool = true
  ) {
    let shown = warnings.prefix(ScriptWarnings.most - scriptWarnings)
    for warning in shown {
      let line = showsLines && warning.line > 0 ? ":\(warning.line)" : ""
      let message = "\(script)\(line): \(ScriptMessage.text(warning.message))"
      if warning.isPrinted { output(message) } else { warn(message) }
    }
    scriptWarnings += shown.count
    let rest = count - shown.count
    if rest > 0 {
      let noun = warnings.contains(where: \.isPrinted) ? "more line" : "more warning"
      warn("\(script): \(Plural.text(rest, noun)) of the script, not shown")
    }
  }

  /// A program that the run has started printed a line.
  func output(_ line: String) { say(.output, message: line) }

  func reject(entity: String, message: String) {
    say(.rejected, entity: entity, message: message)
  }

  private func say(
    _ kind: ProgressEvent.Kind, entity: String? = nil, rows: Int = 0, total: Int? = nil,
    bytes: Int = 0, message: String? = nil, status: Int32? = nil, _ summary: RunSummary? = nil,
    isRepeated: Bool = false, countsParts: Bool = false
  ) {
    if let original {
      guard kind == .progress, let entity else { return }
      return original.say(
        .progress, entity: entity, rows: rows, total: total, bytes: bytes, isRepeated: true)
    }
    var event = ProgressEvent(
      kind, time: Date(), run: run, store: store, stage: stage, entity: entity, rows: rows,
      total: total, bytes: bytes, message: message, status: status)
    event.summary = summary
    (event.isRepeated, event.countsParts) = (isRepeated, countsParts)
    fraction?.take(event)
    (event.fraction, event.remaining) = (fraction?.value, fraction?.saidRemaining)
    events(event)
  }
}
