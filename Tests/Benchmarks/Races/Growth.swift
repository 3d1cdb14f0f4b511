import Foundation

/// What a migration costs at several sizes of the store.
struct Growth {
  /// One migration at one size.
  struct Point: Equatable {
    var migration: String
    /// The rows, or the entities.
    var size: Int
    /// Of each round, the share of one row or entity in the processors' time, in seconds.
    var share: [Double]
    /// The most memory that any round held, in bytes.
    var peak: Int
  }

  /// All of them, by migration, the smallest store first.
  var points: [Point] = []

  /// The points of one migration.
  func points(of migration: String) -> [Point] { points.filter { $0.migration == migration } }

  /// The names of the migrations.
  var migrations: [String] {
    points.map(\.migration).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// A share in the largest store over that in the smallest, of the migration that grows most.
  var ratio: Spread? {
    let ratios = migrations.compactMap { name -> Spread? in
      let points = points(of: name)
      guard points.count > 1, let first = points.first, let last = points.last else { return nil }
      return Spread.ratios(last.share, over: first.share)
    }
    return ratios.max { $0.median < $1.median }
  }
}

extension Course {
  /// Stages M1 and M2 with few rows and with many.
  func growth(say: (String) -> Void) throws -> Growth {
    let ways = [("M1", staged(Names.staged, "rename")), ("M2", staged(Names.staged, "rewrite"))]
    return try growth(of: "things", options.sizes, ways, say)
  }

  /// Migrates few entities and many.
  func entities(say: (String) -> Void) throws -> Growth {
    try growth(
      of: "entities", options.entities, [("entities", complete(Names.complete, "rename"))], say)
  }

  private func growth(
    of kind: String, _ sizes: [Int], _ ways: [(String, Contender)], _ say: (String) -> Void
  ) throws -> Growth {
    var growth = Growth()
    for size in sizes {
      let source = try store(kind, rows: size)
      for (name, contender) in ways {
        say("growth: \(name), \(size) of \(kind)")
        let race = Race(
          name: name, title: "", source: source, baseline: contender.name,
          contenders: [contender], check: ContentCheck(tables: []), mostRounds: 3)
        let result = try race.run(rounds: options.rounds, meter: meter, in: field) { _ in }
        if let why = result.lack(of: contender.name) { throw BenchError("\(name): \(why)") }
        let measurements = result.measurements[contender.name] ?? []
        growth.points.append(
          Growth.Point(
            migration: name, size: size,
            share: measurements.map { $0.processor / Double(size) },
            peak: measurements.map(\.peak).max() ?? 0))
      }
      if size != options.rows { try remove(source) }
    }
    growth.points.sort { ($0.migration, $0.size) < ($1.migration, $1.size) }
    return growth
  }
}
