import Foundation

/// Everything that was measured, as a drawing: the ratios of each race, and growth.
struct Plot {
  private static let width = 820.0
  private static let names = 330.0
  private static let line = 20.0

  private let findings: Findings
  private let remark: String
  private var svg = SVG(width: width)
  private var y = 28.0

  /// A drawing with a remark on what was measured where.
  init(_ findings: Findings, remark: String) {
    (self.findings, self.remark) = (findings, remark)
  }

  /// The file.
  var text: String {
    var plot = self
    plot.draw()
    return plot.svg.document(height: plot.y)
  }

  /// Writes it to a file, whose folder is made if it is not there.
  func write(to path: String) throws {
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private mutating func draw() {
    svg.text(
      "Time over that of the first of each kind; left is faster", 20, y, size: 15, isBold: true)
    y += 20
    svg.text(remark, 20, y, color: Self.gray)
    y += 14
    let ratios = findings.races.flatMap { result in
      result.race.contenders.compactMap { result.ratio($0.name) }.flatMap { [$0.min, $0.max] }
    }
    let scale = Scale(of: ratios + [1], on: Self.names...(Self.width - 60))
    // Of one contender alone there is no ratio to draw.
    for result in findings.races where result.race.contenders.count > 1 { draw(result, scale) }
    if let growth = try? findings.growth?.get() { draw(growth) }
    y += 12
  }

  private mutating func draw(_ result: RaceResult, _ scale: Scale) {
    y += 24
    svg.text(result.race.title, 20, y, size: 13, isBold: true)
    let top = y + 8
    let measured = result.race.contenders.filter { result.ratio($0.name) != nil }
    let bottom = top + Self.line * Double(measured.count)
    for mark in scale.marks {
      let x = scale.place(mark)
      svg.line(from: (x, top), to: (x, bottom), color: mark == 1 ? Self.gray : Self.pale)
      svg.text(Format.number(mark), x, bottom + 13, .middle, size: 10, color: Self.gray)
    }
    for contender in measured {
      y += Self.line
      guard let ratio = result.ratio(contender.name) else { continue }
      draw(contender, ratio, scale)
    }
    y = bottom + 16
  }

  private mutating func draw(_ contender: Contender, _ ratio: Spread, _ scale: Scale) {
    let color = Self.color(of: contender.kind)
    svg.text(contender.name, Self.names - 14, y + 4, .end, color: color)
    svg.line(
      from: (scale.place(ratio.min), y), to: (scale.place(ratio.max), y), color: color, width: 2)
    svg.dot(scale.place(ratio.median), y, color: color)
    svg.text(Format.number(ratio.median), Self.width - 12, y + 4, .end, size: 11, color: color)
  }

  private static func color(of kind: Contender.Kind) -> String {
    switch kind {
    case .ours: "#1d4ed8"
    case .peer: "#374151"
    case .limit: "#b45309"
    }
  }

  private static let gray = "#6b7280"
  private static let pale = "#e5e7eb"
}

// Growth: two charts side by side.
extension Plot {
  private static let height = 150.0

  private mutating func draw(_ growth: Growth) {
    y += 34
    let left = 70.0...370.0
    let right = 480.0...780.0
    svg.text("Microseconds of CPU a row, by the store's rows", 20, y, size: 13, isBold: true)
    svg.text("Memory at most in MiB", 430, y, size: 13, isBold: true)
    y += 14
    chart(growth, left) { (Spread(of: $0.share)?.median ?? 0) * 1_000_000 }
    chart(growth, right) { Double($0.peak) / 1_048_576 }
    y += Self.height + 34
  }

  private mutating func chart(
    _ growth: Growth, _ places: ClosedRange<Double>, _ value: (Growth.Point) -> Double
  ) {
    let across = Scale(of: growth.points.map { Double($0.size) }, on: places)
    let highest = growth.points.map(value).max() ?? 1
    let (top, bottom) = (y, y + Self.height)
    let down = { (value: Double) in bottom - value / max(highest, 1e-9) * (bottom - top) * 0.9 }
    svg.line(from: (places.lowerBound, bottom), to: (places.upperBound, bottom), color: Self.gray)
    for mark in across.marks {
      svg.text(
        Format.count(Int(mark)), across.place(mark), bottom + 14, .middle, size: 10,
        color: Self.gray)
    }
    for (number, name) in growth.migrations.enumerated() {
      let color = number == 0 ? "#1d4ed8" : "#7c3aed"
      svg.text(name, places.upperBound - 40 + 30 * Double(number), top - 14, color: color)
      let points = growth.points(of: name).map { point in
        (across.place(Double(point.size)), down(value(point)), value(point))
      }
      for (start, end) in zip(points, points.dropFirst()) {
        svg.line(from: (start.0, start.1), to: (end.0, end.1), color: color, width: 2)
      }
      for point in points {
        svg.dot(point.0, point.1, color: color)
        let away: Double = number == 0 ? -9 : 16
        svg.text(Format.number(point.2), point.0, point.1 + away, .middle, size: 10, color: color)
      }
    }
  }
}
