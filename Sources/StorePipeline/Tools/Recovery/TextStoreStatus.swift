internal import CoreDataStore
internal import Foundation
internal import StoreReplacement

/// The state of a store, as a person reads it.
package struct TextStoreStatus {
  private let status: StoreStatus
  private let width: Int
  private let style: Style

  package init(_ status: StoreStatus, width: Int = 80, style: Style = Style(isOn: false)) {
    self.status = status
    self.width = width
    self.style = style
  }

  /// The lines.
  package var text: String {
    var lines = (status.run.map(run) ?? noRun)
    if status.rejects > 0 {
      lines.append("rejects: \(Quantity.count(status.rejects)), in \(status.work.oneLine)")
      lines += RunSummary.Rejected.lines(of: status.rejected, width, style)
      if status.rejects > status.rejected.count {
        lines += ["To list them all:", command("rejects")]
      }
      lines += ["To put them in, once the script is corrected:", command("retry")]
    }
    return (lines + [""] + backups).joined(separator: "\n")
  }

  private var noRun: [String] {
    guard let problem = status.problem else { return ["\(status.store.oneLine): no run"] }
    return [style.red("\(status.store.oneLine): the run's state cannot be used"), problem.oneLine]
      + "This removes the run's files and leaves store and backups:".wrapped(to: width)
      + [command("abandon")]
  }

  private func run(_ run: StoreStatus.Run) -> [String] {
    let what = run.work == "restore" ? "a backup is put back" : "run \(run.id.oneLine)"
    var lines = ["\(status.store.oneLine): \(what), \(state(of: run))"]
    var table = TextTable(indent: 2)
    table.add("phase", run.phase)
    if let stage = run.stage { table.add("stage", place(run, stage)) }
    table.add("began", run.started.formatted(.iso8601))
    if !run.changed.isEmpty { table.add("changed", run.changed.joined(separator: ", ")) }
    lines += table.lines(width: width, style)
    if let refusal = run.refusal { return lines + ended(run, refusal) }
    if run.isRunning || run.phase == "done" { return lines }
    if let problem = status.problem {
      let sentence = problem.prefix(1).uppercased() + problem.oneLine.dropFirst()
      lines += "\(sentence). The same command starts over.".wrapped(to: width)
      return lines + ["To give it up:", command("abandon")]
    }
    return lines + ways(run) + ["To give it up:", command("abandon")]
  }

  private func ended(_ run: StoreStatus.Run, _ refusal: String) -> [String] {
    let end = run.command.isEmpty ? "." : ":"
    let what = """
      It ended with status 1, and the store is as it was: \(refusal.oneLine). Correct the script, \
      the pipeline file or the store, and give the same command again\(end)
      """
    return what.wrapped(to: width) + (run.command.isEmpty ? [] : [text(run.command)])
  }

  private func ways(_ run: StoreStatus.Run) -> [String] {
    let isCorrected = run.changed.allSatisfy { !["store", "models"].contains($0) }
    if let failed = run.failed, isCorrected {
      let what = """
        It was ended by \(failed.oneLine). Correct the script, the pipeline file or the \
        store, and give the same command again; the run then starts over by itself:
        """
      return what.wrapped(to: width) + [text(run.command)]
    }
    guard run.isResumable else { return ["It cannot be continued. To start over:", restart(run)] }
    if run.work == "restore", ["swapping", "swapped"].contains(run.phase) {
      let what = """
        The backup may be in the store's place already, and in use. This finishes what is left; to \
        give the command itself once more would put the backup back once more.
        """
      return what.wrapped(to: width) + [command("resume")]
    }
    if run.needsItsCommand { return ["The same command continues it:", text(run.command)] }
    return ["The same command continues it, and so does", command("resume")]
  }

  /// A command to paste, on a line of its own: it must not be wrapped.
  private func command(_ name: String) -> String { text([name, status.store]) }

  private func restart(_ run: StoreStatus.Run) -> String {
    guard !run.command.isEmpty else { return "  the program that began it, starting over" }
    return text(SuggestedCommand.restart(run.command))
  }

  private func text(_ words: [String]) -> String {
    "  " + SuggestedCommand.text(words, of: status.store, work: status.work)
  }

  private func state(of run: StoreStatus.Run) -> String {
    if run.isRunning { return style.green("at work") }
    if run.failed != nil || run.refusal != nil { return style.red("failed") }
    return run.phase == "done" ? "over" : style.yellow("cut short")
  }

  private func place(_ run: StoreStatus.Run, _ stage: String) -> String {
    let step = run.step > 1 ? ", step \(run.step)" : ""
    let rows = run.total.map { "\(Quantity.count(run.rows)) of \(Quantity.count($0))" }
    let entity = run.entity.map { ", \($0) \(rows ?? Quantity.count(run.rows))" }
    return stage + step + (entity ?? "")
  }

  private var backups: [String] {
    if status.backups.isEmpty { return ["no backups"] }
    var table = TextTable(indent: 2, numbers: [1])
    for backup in status.backups {
      let word =
        switch backup.isVerified {
        case true?: " (verified)"
        case false? where backup.isDamaged: " (DAMAGED)"
        case false?: " (verified, but for large values that the store did not have)"
        case nil: ""
        }
      table.add(
        backup.date.formatted(.iso8601), Quantity.bytes(Int(backup.bytes)), backup.path + word,
        tint: backup.isDamaged ? .bad : .plain, whole: backup.path.oneLine.count)
    }
    return ["Backups:"] + table.lines(width: width, style)
  }
}
