import Foundation
import SQLite

/// Everything that is measured, part by part.
struct Bench {
  private let options: BenchOptions
  private let say: (String) -> Void

  /// The options; `say` receives the name of what is being measured.
  init(_ options: BenchOptions, say: @escaping (String) -> Void = { _ in }) {
    (self.options, self.say) = (options, say)
  }

  /// Runs the parts that are asked for, and prints each as soon as it is done.
  func run(print: (String) -> Void) throws -> Findings {
    var findings = Findings()
    guard Self.parts.contains(where: options.wants) else { return findings }
    let course = try Course(options)
    for (name, race) in Self.races where options.wants(name) {
      let race = try race(course)()
      let result = try race.run(
        rounds: options.rounds, meter: course.meter, in: course.field, say: say)
      print(RaceTable(result).text + "\n")
      findings.races.append(result)
    }
    grow(course, &findings, print)
    look(course, &findings, print)
    tell(course, &findings, print)
    if options.wants("instructions") {
      findings.instructions = attempt { try Instructions(course).ratio(say: say) }
    }
    try course.leave()
    return findings
  }

  /// What can be asked for.
  static var parts: [String] {
    races.map(\.name) + ["growth", "entities", "instructions"]
      + Course.traced.map { "\($0) traced" } + Course.watched.map { "\($0) watched" }
      + Course.timed.map { "\($0) remaining" } + Course.waits
  }

  private static var races: [(name: String, race: (Course) -> () throws -> Race)] {
    [
      ("M1", Course.rename), ("M2", Course.rewrite), ("M1 wide", Course.wide),
      ("M3", Course.pictures), ("M3 thumbnails", Course.thumbnails), ("small", Course.small),
      ("fleet", Course.fleet), ("find", Course.find),
    ]
  }

  private func grow(_ course: Course, _ findings: inout Findings, _ print: (String) -> Void) {
    if options.wants("growth") {
      findings.growth = attempt { try course.growth(say: say) }
    }
    if options.wants("entities") {
      findings.entities = attempt { try course.entities(say: say) }
    }
    for (growth, kind) in [(findings.growth, "rows"), (findings.entities, "entities")] {
      guard let growth = try? growth?.get() else { continue }
      print(GrowthTable(growth, of: kind).text + "\n")
    }
  }

  private func look(_ course: Course, _ findings: inout Findings, _ print: (String) -> Void) {
    for name in Course.traced where options.wants("\(name) traced") {
      say("\(name) traced")
      findings.traces[name] = attempt { try course.trace(name) }
    }
    for name in Course.watched where options.wants("\(name) watched") {
      say("\(name) watched")
      findings.watches[name] = attempt { try course.watch(name) }
    }
    let hasLooked = !findings.traces.isEmpty || !findings.watches.isEmpty
    if hasLooked { print(LookTable(findings).text + "\n") }
    for name in Course.traced {
      guard let trace = try? findings.traces[name]?.get() else { continue }
      print(UseTable(trace, of: name).text + "\n")
    }
  }

  /// What a user is kept waiting for, and what is said of it.
  private func tell(_ course: Course, _ findings: inout Findings, _ print: (String) -> Void) {
    for name in Course.timed where options.wants("\(name) remaining") {
      say("\(name) remaining")
      findings.remaining[name] = attempt { try course.remaining(name) }
    }
    for name in Course.waits where options.wants(name) {
      say(name)
      findings.waits[name] = attempt { try course.wait(for: name) }
    }
    if !findings.remaining.isEmpty { print(RemainingTable(findings).text + "\n") }
    if !findings.waits.isEmpty { print(WaitTable(findings).text + "\n") }
  }

  private func attempt<Value>(_ work: () throws -> Value) -> Result<Value, BenchError> {
    Result { try work() }.mapError { $0 as? BenchError ?? BenchError("\($0)") }
  }

  /// What was measured where, in a line.
  var remark: String {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return "W1 \(Format.count(options.rows)) rows, W2 \(Format.count(options.pictures)) pictures, "
      + "W3 \(Format.count(max(1, options.rows / 5))) rows; a fleet of "
      + "\(Format.count(options.stores)); \(options.rounds) rounds; "
      + "SQLite \(SQLiteLibrary.version); \(processors) processors"
  }
}
