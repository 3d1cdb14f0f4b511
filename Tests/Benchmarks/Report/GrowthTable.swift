/// What growing costs, for people.
struct GrowthTable {
  private let growth: Growth
  private let kind: String

  /// A table of what rows cost, or entities.
  init(_ growth: Growth, of kind: String) { (self.growth, self.kind) = (growth, kind) }

  /// A line for each migration and size.
  var text: String {
    var table = TextTable(["pipeline", kind, "microseconds of CPU for one", "peak MiB"])
    for point in growth.points {
      let share = Spread(of: point.share)?.median ?? 0
      table.add([
        point.migration, Format.count(point.size), Format.number(share * 1_000_000),
        Format.mebibytes(point.peak),
      ])
    }
    return table.text()
  }
}
