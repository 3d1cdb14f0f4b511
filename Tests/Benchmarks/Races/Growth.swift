import Foundation

/// What a migration costs at several sizes of the store.
struct Growth {
  /// One migration at one size.
  struct Point: Equatable {
    var migration: String
    var rows: Int
    /// Of each round, a row's share of the time.
    var secondsPerRow: [Double]
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

  /// A row's time in the largest store over that in the smallest, of the migration that grows most.
  var ratio: Spread? {
    let ratios = migrations.compactMap { name -> Spread? in
      let points = points(of: name)
      guard points.count > 1, let first = points.first, let last = points.last else { return nil }
      return Spread.ratios(last.secondsPerRow, over: first.secondsPerRow)
    }
    return ratios.max { $0.median < $1.median }
  }
}

extension Course {
  /// Stages M1 and M2 at every size.
  func growth(say: (String) -> Void) throws -> Growth {
    var growth = Growth()
    let migrations = [("M1", "rename"), ("M2", "rewrite")]
    for rows in options.sizes {
      let source = try store("things", rows: rows)
      for (name, migration) in migrations {
        say("growth: \(name), \(rows) rows")
        let race = Race(
          name: name, title: "", source: source, baseline: Names.staged,
          contenders: [staged(Names.staged, migration)], check: ContentCheck(tables: []))
        let result = try race.run(rounds: min(options.rounds, 3), meter: meter, in: field) { _ in }
        if let why = result.lack(of: Names.staged) { throw BenchError("\(name): \(why)") }
        let measurements = result.measurements[Names.staged] ?? []
        growth.points.append(
          Growth.Point(
            migration: name, rows: rows,
            secondsPerRow: measurements.map { $0.seconds / Double(rows) },
            peak: measurements.map(\.peak).max() ?? 0))
      }
      if rows != options.rows { try remove(source) }
    }
    growth.points.sort { ($0.migration, $0.rows) < ($1.migration, $1.rows) }
    return growth
  }
}
