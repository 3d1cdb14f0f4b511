/// What growing costs, for people.
struct GrowthTable {
  private let growth: Growth

  init(_ growth: Growth) { self.growth = growth }

  /// A line for each migration and size.
  var text: String {
    var table = TextTable(["pipeline, staged", "rows", "microseconds a row", "peak MiB"])
    for point in growth.points {
      let time = Spread(of: point.secondsPerRow)?.median ?? 0
      table.add([
        point.migration, Format.count(point.rows), Format.number(time * 1_000_000),
        Format.mebibytes(point.peak),
      ])
    }
    return table.text()
  }
}
