import Foundation

/// All that two commands, or a command and an application, do when they meet on one store.
struct Meetings {
  /// Whether all is done, or a part.
  let isFull: Bool
  /// The folder for all of it.
  let scratch: URL

  /// Adds them to what is done.
  func add(to campaign: inout Campaign) throws {
    let run = try Bench(.repeatable, in: scratch)
    campaign.meetings(Meeting(run, by: "the same"), every: isFull ? 1 : 13)
    campaign.meetings(elsewhere(run), every: isFull ? 1 : 13)
    pairs(run, &campaign)
    try visits(run, &campaign, every: isFull ? 3 : 29)
    guard isFull else { return }
    let dropping = try Bench(.run, in: scratch)
    campaign.meetings(Meeting(dropping, by: "the same"), every: 5)
    campaign.meetings(elsewhere(dropping), every: 5)
    try visits(dropping, &campaign, every: 5)
    for kind in [Bench.Kind.swap, .resume, .retry, .rollback, .restore] {
      let bench = try Bench(kind, in: scratch)
      var same = Meeting(bench, by: "the same")
      // A rollback that comes after another finds no run that could be undone.
      if kind == .rollback { same.statuses.insert(3) }
      campaign.meetings(same, every: 2)
      try visits(bench, &campaign, every: 5)
    }
    try others(dropping, &campaign)
  }

  private func visits(_ bench: Bench, _ campaign: inout Campaign, every step: Int) throws {
    let kind = bench.kind == .repeatable ? Bench.Kind.repeatable : .run
    let migrated = try Visit.migrated(Setting(kind, of: bench.setting.variant), in: scratch)
    for work in Visit.Work.allCases {
      campaign.visits(Visit(bench: bench, work: work, migrated: migrated), every: step)
    }
  }

  private static let run = ["run", Sample.pipeline, Sample.store]

  private func elsewhere(_ bench: Bench) -> Meeting {
    var meeting = Meeting(bench, by: "a run with another work folder", Self.run)
    meeting.more = ["--work", "elsewhere"]
    return meeting
  }

  /// Pairs that are begun one after the other.
  private func pairs(_ run: Bench, _ campaign: inout Campaign) {
    let waiting = Self.run + ["--set", "wait=1 s"]
    var same = Meeting(run, by: "the same")
    same.words = waiting
    var elsewhere = Meeting(run, by: "the same with another work folder")
    elsewhere.words = waiting
    elsewhere.more = ["--work", "elsewhere"]
    let (here, there) = (same, elsewhere)
    let count = isFull ? 500 : 20
    campaign.add("pairs of runs, 0 to 300 ms apart", Array(0..<count)) { number, folder in
      let delay = Double(number) * 0.3 / Double(count)
      return try (number % 2 == 0 ? here : there).test(after: delay, in: folder)
    }
  }

  /// Commands that are not the same.
  private func others(_ run: Bench, _ campaign: inout Campaign) throws {
    for kind in [Bench.Kind.swap, .resume] {
      campaign.meetings(elsewhere(try Bench(kind, in: scratch)), every: 2)
    }
    let output = Self.run + ["--output", "Out.sqlite"]
    campaign.meetings(
      try Meeting(
        run, output, result: "Out.sqlite", by: "a run in place", Self.run, in: scratch))
    let copy = ["backup", Sample.store, "kept", "--wait", "0 s"]
    var backup = try Meeting(
      run, copy, result: "kept/\(Sample.store)", by: "a run", Self.run, in: scratch)
    backup.allowed = [run.old, run.new]
    campaign.meetings(backup)
    let retry = try Bench(.retry, in: scratch)
    var undone = Meeting(retry, by: "a rollback", ["rollback", Sample.store, "--wait", "0 s"])
    undone.allowed = [run.old, retry.old, retry.new]
    undone.repeats = false
    // Overtaken, the retry says what it finds: no run to retry, or a rollback that was cut short
    // because the stopped retry has the store open.
    undone.statuses = [0, 2, 3, 5]
    undone.needsOne = false
    campaign.meetings(undone)
  }
}
