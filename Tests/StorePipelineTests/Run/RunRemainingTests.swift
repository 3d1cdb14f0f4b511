import Foundation
import Testing

@testable import StorePipeline

/// Runs on a clock that stands still between events, so that what a run says of its end can be
/// compared with when it ends.
@Suite("The time that remains of a run")
struct RunRemainingTests {
  /// A unit, and the seconds that it takes in truth.
  private struct Piece {
    var unit: RunFraction.Unit
    var seconds: Double
    /// Of these, what its objects take.
    var ofObjects = 0.0
    /// Of these, what writing them takes.
    var ofDisk = 0.0
    /// How much of it is done as each of its parts begins.
    var course: [Double] = []
    var isScript = false
  }

  private static func plain(
    _ name: String, _ base: Double, _ kind: RunFraction.Kind = .plain, course: [Double] = []
  ) -> Piece {
    var unit = RunFraction.Unit(name: name, step: 0, base: .init(kind, base))
    unit.course = course.map { $0 * unit.base }
    return Piece(unit: unit, seconds: base, course: course)
  }

  /// Objects that are made, after they were looked at.
  private static func made(
    _ name: String, _ kind: RunFraction.Kind, _ look: Double, _ objects: Double,
    writing: Double = 0
  ) -> Piece {
    var unit = RunFraction.Unit(name: name, step: 0)
    unit.repeats = kind == .repeats
    unit.entities = ["Item": .init(kind, objects - writing) + .init(.disk, writing)]
    if look > 0 { unit.looks = ["Item": .init(.plain, look)] }
    return Piece(
      unit: unit, seconds: look + objects, ofObjects: objects, ofDisk: writing,
      isScript: kind != .plain)
  }

  private static func looked(_ name: String, _ looks: [String: Double]) -> Piece {
    var unit = RunFraction.Unit(name: name, step: nil)
    unit.looks = looks.mapValues { .init(.plain, $0) }
    return Piece(unit: unit, seconds: looks.values.reduce(0, +))
  }

  private static let swap = [0.31, 0.45, 0.53, 0.53, 0.81, 0.94, 0.94, 0.95]

  /// Many small objects that SQL copies.
  private static let rows = [
    plain("open", 0.24, .copy), plain("", 0.07), made("copy", .plain, 0, 0.7),
    plain("connect", 0.14), plain("finish", 0.3, course: [0, 0, 0, 0.01, 0.95, 0.96, 0.99, 1]),
    plain("validate", 0.26), looked("verify", ["Box": 0.01, "Item": 0.6, "Tag": 0.01]),
    plain("swap", 1.4, course: swap),
  ]

  /// The same with a script, which is run again to verify what it made.
  private static let scripted = [
    plain("open", 0.35, .copy), plain("", 0.04), made("transform", .scripts, 0, 3.6),
    plain("connect", 0.2), plain("finish", 0.3), plain("validate", 0.3),
    made("verify", .repeats, 0.5, 3.7), plain("swap", 1.4, course: swap),
  ]

  /// Few large objects: most of what they take is writing them.
  private static let pictures = [
    plain("open", 0.29, .copy), made("transform", .scripts, 0, 1.34, writing: 0.8),
    plain("finish", 0.01),
    plain("validate", 0.14), made("verify", .repeats, 0.01, 0.45),
    plain("swap", 0.8),
    plain("swap", 1, .disk, course: swap),
  ]

  private typealias Said = (time: Double, remaining: Double, fraction: Double)

  /// What a run says of its end at each of its events, and when that is; the machine had a pace
  /// when the store was checked.
  private static func run(_ pieces: [Piece], pace: Double = 1) -> (said: [Said], end: Double) {
    var fraction = RunFraction(units: pieces.map(\.unit), pace: pace)
    var (now, said) = (0.0, [Said]())
    func take(_ kind: ProgressEvent.Kind, _ stage: String, _ change: (inout ProgressEvent) -> Void)
    {
      var event = ProgressEvent(
        kind, time: Date(timeIntervalSinceReferenceDate: now), run: "r", store: "s", stage: stage)
      change(&event)
      fraction.take(event)
      said.append((now, fraction.remaining, fraction.value))
    }
    take(.runStarted, "") { _ in }
    for piece in pieces {
      let (unit, start) = (piece.unit, now)
      // What has no name is not reported.
      if !unit.name.isEmpty { take(.stageStarted, unit.name) { _ in } }
      for (place, share) in piece.course.enumerated() {
        now = start + share * piece.seconds
        take(.progress, unit.name) { ($0.rows, $0.total) = (place, piece.course.count) }
      }
      let before = piece.seconds - piece.ofObjects
      let looks = unit.looks.values.reduce(0) { $0 + $1.sum() }
      for (name, look) in unit.looks.sorted(by: { $0.key < $1.key }) {
        now += look.sum() / looks * before
        take(.progress, unit.name) { ($0.entity, $0.total) = (name, unit.looks.count) }
      }
      if !unit.entities.isEmpty { now = start + before }
      for block in stride(from: 10, through: 1000, by: 10) where !unit.entities.isEmpty {
        now = start + before + piece.ofObjects * Double(block) / 1000
        take(.progress, unit.name) { event in
          (event.entity, event.rows, event.total) = ("Item", block, 1000)
          event.isRepeated = unit.repeats
        }
      }
      now = start + piece.seconds
      if !unit.name.isEmpty { take(.stageFinished, unit.name) { _ in } }
    }
    return (said, now)
  }

  /// By how much of what remains a run was wrong, after each twentieth from the second to the
  /// eighteenth; a terminal counts down between two events.
  private static func errors(_ pieces: [Piece], pace: Double = 1) -> [Double] {
    let (said, end) = run(pieces, pace: pace)
    return (2...18).map { twentieth in
      let now = end * Double(twentieth) / 20
      let last = said.last { $0.time <= now }
      let remaining = max(0, (last?.remaining ?? 0) - (now - (last?.time ?? 0)))
      return remaining / (end - now) - 1
    }
  }

  /// A machine that is slower or faster, and scripts that are.
  private static func altered(_ pieces: [Piece], machine: Double, scripts: Double) -> [Piece] {
    // A script that does more does that both times; one that does less spares it both times.
    let made = pieces.first { $0.isScript && !$0.unit.repeats }.map { $0.ofObjects - $0.ofDisk }
    return pieces.map { piece in
      var piece = piece
      let rest = (piece.seconds - piece.ofObjects + piece.ofDisk) * machine
      let run = piece.ofObjects - piece.ofDisk
      let objects =
        !piece.isScript
        ? run * machine
        : scripts > 1 ? run * machine + (made ?? 0) * (scripts - 1) : run * machine * scripts
      let written = piece.ofDisk * machine
      (piece.seconds, piece.ofObjects) = (rest + objects, objects + written)
      return piece
    }
  }

  private static let shapes = ["rows": rows, "scripted": scripted, "pictures": pictures]

  @Test(
    "what remains is within 30 percent after a tenth, on any machine and with any script",
    arguments: ["rows", "scripted", "pictures"], [0.3, 1, 6])
  func within(shape: String, machine: Double) throws {
    let pieces = try #require(Self.shapes[shape])
    for scripts in [0.4, 1, 8] {
      let altered = Self.altered(pieces, machine: machine, scripts: scripts)
      let errors = Self.errors(altered, pace: machine)
      #expect(errors.allSatisfy { abs($0) <= 0.3 }, "scripts \(scripts): \(errors)")
    }
  }

  @Test("a unit that takes half as long again, or spares a third, does not mislead for long")
  func unequal() {
    for place in Self.rows.indices {
      for factor in [0.67, 1.5] {
        var pieces = Self.rows
        pieces[place].seconds *= factor
        pieces[place].ofObjects *= factor
        let errors = Self.errors(pieces).map(abs).sorted()
        #expect(errors[errors.count / 2] <= 0.3, "\(place) \(factor): \(errors)")
      }
    }
  }

  @Test("a wait of a minute for a lock is not taken for the pace of the rest", arguments: [0, 3])
  func waits(place: Int) {
    var pieces = Self.scripted
    pieces[place].seconds += 60
    let (said, end) = Self.run(pieces)
    let later = said.filter { $0.time > 62 && end - $0.time > 0.5 }
    #expect(later.count > 100)
    // The wait was 170 times what was estimated of its unit, or more.
    #expect(later.allSatisfy { $0.remaining < 5 * (end - $0.time) })
  }

  @Test(
    "a copy that shares blocks with the store, or waits for a disk, says nothing of the rest",
    arguments: [0.01, 5])
  func copies(factor: Double) {
    var pieces = Self.rows
    pieces[0].seconds *= factor
    let (said, end) = Self.run(pieces)
    let later = said.filter { $0.time > pieces[0].seconds && $0.time < end }
    #expect(later.allSatisfy { abs($0.remaining / (end - $0.time) - 1) < 0.05 })
    // Nor is the bar far when it ends: it is 6 % of the run.
    #expect(later.first.map { $0.fraction < 0.1 } == true)
  }

  @Test("the bar never goes back, whatever things take") func never() {
    for pieces in Self.shapes.values {
      for machine in [0.1, 1, 20] {
        let said = Self.run(Self.altered(pieces, machine: machine, scripts: 30 / machine)).said
        #expect(said.map(\.fraction) == said.map(\.fraction).sorted())
        #expect(said.allSatisfy { $0.remaining >= 0 && $0.fraction <= 0.99 })
      }
    }
  }

  @Test("objects that stay as they are do not count for those that are copied") func kept() {
    var fraction = RunFraction(units: Self.rows.map(\.unit))
    func take(_ kind: ProgressEvent.Kind, _ entity: String?, _ rows: Int) {
      fraction.take(
        ProgressEvent(
          kind, time: Date(timeIntervalSinceReferenceDate: 0), run: "r", store: "s", stage: "copy",
          entity: entity, rows: rows, total: 10))
    }
    take(.stageStarted, nil, 0)
    let before = fraction.value
    take(.progress, "Box", 10)
    #expect(fraction.value == before)
    take(.progress, "Item", 10)
    #expect(fraction.value > before)
  }
}
