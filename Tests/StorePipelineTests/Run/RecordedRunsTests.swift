import Foundation
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@testable import StorePipeline

/// Runs of the benchmarks, as their events reported them, replayed on a clock of their own.
@Suite("The time that remains of recorded runs", .temporaryFolder)
struct RecordedRunsTests {
  /// A run, and the plan that it carried out.
  struct Recorded: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The bytes of the store.
    let bytes: Int64
    /// Its objects and their bytes, those of the entity first that is not kept.
    let entities: [(name: String, rows: Int64, bytes: Int64)]
    /// How many attributes that entity has in each version.
    let attributes: [Int]
    /// The way of its objects, and how the new store begins.
    let way: CopyWay
    let start: PlannedStart.Way
    /// For each step the number of functions of its script, or nil; one without makes objects.
    let functions: [Int?]
    /// Of each stage the seconds before it, and those of its parts: `Item=` those in which it made
    /// objects, in twenty chunks, `Item+` those in which it looked at them.
    let stages: [String]
  }

  private static func things(
    _ name: String, millions: Int64 = 1, attributes: [Int], functions: [Int?],
    _ stages: [String]
  ) -> Recorded {
    Recorded(
      testDescription: name, bytes: millions * 279_298_048,
      entities: [
        ("Item", millions * 1_000_000, millions * 144_502_784),
        ("Box", millions * 10_000, millions * 212_992),
        ("Tag", millions * 5_000, millions * 98_304),
      ], attributes: attributes, way: functions == [nil] ? .copied : .computed, start: .overlay,
      functions: functions, stages: stages)
  }

  static let runs = [
    things(
      "SQL copies", millions: 2, attributes: [5, 6], functions: [nil],
      [
        "open 0: 0.34", "copy 0.11: Item=1.54", "connect 0: 0.28 0",
        "finish 0: 0 0 0 0.6 0 0.02 0", "validate 0: 0.58 0 0", "verify 0: Item+1.28 0.31",
        "swap 0.37: 0.85 0.35 0.2 0 0.9 0.34 0 0 0.08",
      ]),
    things(
      "functions compute", attributes: [6, 7], functions: [4],
      [
        "open 0: 0.27", "copy 0.08: 0", "transform 0: Item=2.76", "connect 0: 0.15 0.12",
        "finish 0: 0 0 0 0.35 0 0.01 0", "validate 0: 0.36 0 0",
        "verify 0: Item+0.42 Item=2.44", "swap 0.19: 0.47 0.18 0.1 0 0.37 0.16 0 0 0.05",
      ]),
    things(
      "a chain", attributes: [5, 6, 7], functions: [1, 4],
      [
        "open 0: 0.21", "copy 0.06: 0", "transform 0: Item=2.47", "connect 0: 0.15 0.12",
        "finish 0: 0 0 0 0.27 0 0 0 0.07", "verify 0: Item+0.55 Item=1.32", "copy 2.1: 0",
        "transform 0: Item=2.57", "connect 0: 0.12 0.21", "finish 0: 0 0 0 0.67 0 0.01 0",
        "validate 0: 0.24 0 0", "verify 0: Item+0.53 Item=3.07",
        "swap 0.19: 0.45 0.23 0.12 0 0.36 0.17 0 0 0.1",
      ]),
    Recorded(
      testDescription: "many attributes", bytes: 416_997_376,
      entities: [("Item", 1_000_000, 416_473_088)], attributes: [57, 58], way: .copied,
      start: .empty, functions: [nil],
      stages: [
        "open 0: 0.27", "copy 0: Item=4.23", "connect 0: 0", "finish 0: 0 0 0 0 0 0.24 0",
        "validate 0: 0.68", "verify 0: Item+3.63 0.44",
        "swap 0.45: 1.12 0.3 0.22 0 1.2 0.26 0 0 0.19",
      ]),
    Recorded(
      testDescription: "a script makes pictures", bytes: 219_172_864,
      entities: [("Item", 500, 218_886_144), ("Box", 100, 4_096)], attributes: [1, 2], way: .made,
      start: .empty, functions: [0],
      stages: [
        "open 0: 0.24", "copy 0: 0", "transform 0: Item=3.57", "connect 0: 0",
        "finish 0: 0 0 0 0 0 0 0.01", "validate 0: 0.1 0 0 0", "verify 0: Item=3.01 0.03",
        "swap 0: 0.53 0.18 0.15 0 0.68 0.17 0 0 0.11",
      ]),
  ]

  @Test("what remains is within 30 percent after the first tenth", arguments: runs)
  func within(run: Recorded) throws {
    var fraction = RunFraction(try Self.plan(of: run), stages: .standard)
    let events = Self.events(of: run)
    let said = events.map { event in
      fraction.take(event)
      return (time: event.time, remaining: fraction.saidRemaining, value: fraction.value)
    }
    let values = said.map(\.value)
    #expect(values == values.sorted() && values.last == 1)
    let (start, end) = (try #require(events.first).time, try #require(events.last).time)
    let errors = (1...9).compactMap { tenth -> Double? in
      let now = start.addingTimeInterval(end.timeIntervalSince(start) * Double(tenth) / 10)
      guard let last = said.last(where: { $0.time <= now }), let remaining = last.remaining
      else { return nil }
      // A terminal counts down between two events, and says nothing of the last two seconds.
      let shown = remaining - now.timeIntervalSince(last.time)
      return shown >= 2 ? shown / end.timeIntervalSince(now) - 1 : nil
    }
    #expect(errors.count >= 5 && errors.allSatisfy { abs($0) <= 0.3 }, "\(errors)")
  }

  /// The events of a run, the first of which is at the reference date.
  private static func events(of run: Recorded) -> [ProgressEvent] {
    var (now, events) = (0.0, [ProgressEvent]())
    func add(
      _ kind: ProgressEvent.Kind, _ stage: String?, _ entity: String? = nil, _ rows: Int = 0,
      of total: Int? = nil, after seconds: Double = 0
    ) {
      now += seconds
      let time = Date(timeIntervalSinceReferenceDate: now)
      events.append(
        ProgressEvent(
          kind, time: time, run: "r", store: "s", stage: stage, entity: entity, rows: rows,
          total: total))
    }
    add(.runStarted, nil)
    for line in run.stages {
      let words = line.split(separator: " ").map(String.init)
      let (stage, parts) = (words[0], words.dropFirst(2))
      add(.stageStarted, stage, after: Double(words[1].dropLast()) ?? 0)
      // The parts of a swap are reported before they begin.
      var place = stage == "swap" ? 0 : 1
      for part in parts {
        let text = part.split { "=+".contains($0) }.map(String.init)
        let seconds = text.last.flatMap(Double.init) ?? 0
        if part.contains("=") {
          for rows in 1...20 {
            add(.progress, stage, text[0], rows, of: 20, after: seconds / 20)
            events[events.count - 1].isRepeated = stage == "verify"
          }
        } else if part.contains("+") {
          add(.progress, stage, text[0], 1, of: 1, after: seconds)
        } else {
          add(.progress, stage, nil, place, of: max(place, parts.count), after: seconds)
          place += 1
        }
      }
      add(.stageFinished, stage)
    }
    add(.runFinished, nil)
    events[events.count - 1].status = 0
    return events
  }
}

// The plans.
extension RecordedRunsTests {
  /// The plan of the run: as it is made without a store, with what the store has.
  private static func plan(of run: Recorded) throws -> Plan {
    let folder = try PlanFolder.models(run.attributes.map { model(run, $0) })
    for (place, count) in run.functions.enumerated() {
      let functions = (0..<(count ?? 0)).map { "a\($0) = function(a\($0)) return a\($0) end" }
      let script =
        count == 0
        ? #"creates = { "Item" }, create = function(item, new) return new.Item(item) end"#
        : "attributes = { \(functions.joined(separator: ", ")) }"
      try folder.write("return { \(script) }", to: "step\(place).lua")
    }
    let plan = try folder.plan(pipeline(run))
    try #require(plan.steps.count == run.functions.count)
    let steps = plan.steps.map { step in
      PlannedStep(
        from: step.from, to: step.to, mapping: step.mapping, stages: step.stages,
        scripts: step.scripts, sourceSchema: step.sourceSchema, targetSchema: step.targetSchema,
        entities: entities(run), start: PlannedStart(how: run.start, why: ""),
        declarations: step.declarations)
    }
    return Plan(
      pipeline: plan.pipeline, source: plan.source, target: plan.target, steps: steps,
      problems: [], warnings: [], uris: plan.uris,
      space: PlannedSpace(needed: 0, free: nil, of: run.bytes), digests: plan.digests,
      declarations: plan.declarations)
  }

  private static func entities(_ run: Recorded) -> [PlannedEntity] {
    run.entities.enumerated().map { place, found in
      let how: PlannedEntity.Way = place > 0 ? .kept : run.way == .copied ? .copied : .scripted
      var entity = PlannedEntity(
        source: found.name, target: found.name, how: how, rows: found.rows, bytes: found.bytes,
        attributes: [], lost: [])
      entity.way = place == 0 ? run.way : run.start == .empty ? .moved : .kept
      return entity
    }
  }

  private static func pipeline(_ run: Recorded) -> String {
    let steps = run.functions.enumerated().map { place, count in
      let script = #"stage "transform" { entity = "Item", script = "step\#(place).lua" }"#
      return [#"stage "copy" {}"#] + (count == nil ? [] : [script])
    }
    let text =
      steps.count == 1
      ? steps[0].joined(separator: "\n")
      : steps.enumerated().map { place, stages in
        #"step "App \#(place + 2)" { \#(stages.joined(separator: ", ")) }"#
      }.joined(separator: "\n")
    return """
      pipeline "P" { format = 1, models = "App.xcdatamodeld" }
      stage "detect" {} stage "open" {}
      \(text)
      stage "validate" {} stage "verify" {} stage "swap" {}
      """
  }

  /// A version: each other entity leads to the items, and they to it.
  private static func model(_ run: Recorded, _ attributes: Int) -> String {
    func link(_ name: String, _ other: String, _ inverse: String, isToMany: Bool) -> String {
      let count = isToMany ? #"toMany="YES""# : #"maxCount="1""#
      return """
        <relationship name="\(name)" optional="YES" \(count) deletionRule="Nullify" \
        destinationEntity="\(other)" inverseName="\(inverse)" inverseEntity="\(other)"/>
        """
    }
    let others = run.entities.dropFirst().map(\.name)
    let values = (0..<attributes).map {
      #"<attribute name="a\#($0)" optional="YES" attributeType="String"/>"#
    }
    let links = others.map { link($0.lowercased(), $0, "items", isToMany: false) }
    let rest = others.map { name in
      let link = link("items", "Item", name.lowercased(), isToMany: true)
      return #"<entity name="\#(name)">\#(link)</entity>"#
    }
    return #"<entity name="Item">\#((values + links).joined())</entity>"# + rest.joined()
  }
}
