import Foundation

/// Several ways to do one migration, each in its turn, as often as there are rounds.
struct Race {
  /// The name of the migration and of the store.
  var name: String
  /// What is migrated how.
  var title: String
  /// The store.
  var source: URL
  /// The way that all others are measured by.
  var baseline: String
  /// The ways, in their order.
  var contenders: [Contender]
  /// What must be the same of all their results.
  var check: ContentCheck
  /// How many stores each of them migrates.
  var stores = 1
  /// The most rounds that it is worth.
  var mostRounds = Int.max
  /// Whether the files of each run stay until the end of the race.
  ///
  /// ext4 without a journal does not give the inode of a file that was deleted within the last
  /// minute to a new one, and searches past all of these for each file that is made. Small stores
  /// are many files: those that the bench deletes between two runs would cost more than what is
  /// measured.
  var keepsFiles = false

  /// Runs everything.
  ///
  /// Those that cannot be run, or whose result is wrong, are named with the reason.
  func run(rounds: Int, meter: Meter, in folder: URL, say: (String) -> Void) throws -> RaceResult {
    var result = RaceResult(race: self)
    var reference: URL?
    for contender in contenders {
      guard let why = lack(of: contender) else { continue }
      result.missing.append((contender.name, .lack(why)))
    }
    let rounds = min(rounds, mostRounds)
    for round in 1...rounds {
      say("\(name): round \(round) of \(rounds)")
      for contender in contenders
      where !result.missing.contains(where: { $0.name == contender.name }) {
        do {
          let name = keepsFiles ? "\(contender.name), round \(round)" : "trial"
          let (measurement, store) = try once(contender, meter, in: folder, named: name)
          if round == 1, let store {
            reference = try checked(store, against: reference, in: folder)
          }
          result.measurements[contender.name, default: []].append(measurement)
        } catch {
          result.measurements[contender.name] = nil
          // A peer that fails says nothing of ours.
          let why = BenchError("failed, \(error)", isLack: contender.kind != .ours)
          result.missing.append((contender.name, why))
        }
      }
    }
    try? FileManager.default.removeItem(at: folder)
    return result
  }

  private func lack(of contender: Contender) -> String? {
    if let lack = contender.lack { return lack }
    let missing = contender.needs.filter { !Meter.succeeds($0.test) }.map(\.name)
    guard !missing.isEmpty else { return nil }
    return "\(missing.joined(separator: ", ")) not installed; `make bench-deps`"
  }

  private func once(
    _ contender: Contender, _ meter: Meter, in folder: URL, named name: String
  ) throws -> (Measurement, URL?) {
    let trial = try contender.trial(of: source, in: folder, named: name)
    var measurement = try meter.measure(contender.command(trial))
    measurement.parts = StageTimes.read(trial.events)
    return (measurement, contender.result?(trial))
  }

  /// The first result is kept; the others must be like it.
  private func checked(_ store: URL, against reference: URL?, in folder: URL) throws -> URL {
    guard let reference else {
      let kept = folder.appending(path: "reference.sqlite")
      try? FileManager.default.removeItem(at: kept)
      try FileManager.default.moveItem(at: store, to: kept)
      return kept
    }
    if let difference = try check.difference(between: store, and: reference) {
      throw BenchError("its result differs: \(difference)")
    }
    return reference
  }
}
