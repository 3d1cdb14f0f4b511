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
    guard parts.contains(where: options.wants) else { return findings }
    let course = try Course(options)
    for (name, race) in races where options.wants(name) {
      let race = try race(course)()
      let result = try race.run(
        rounds: options.rounds, meter: course.meter, in: course.field, say: say)
      print(RaceTable(result).text + "\n")
      findings.races.append(result)
    }
    if options.wants("growth") {
      let growth = try course.growth(say: say)
      print(GrowthTable(growth).text + "\n")
      findings.growth = growth
    }
    if options.isFull && options.wants("instructions") || options.filter == "instructions" {
      findings.instructions = counted(course)
    }
    try course.leave()
    return findings
  }

  private var races: [(name: String, race: (Course) -> () throws -> Race)] {
    [
      ("M1", Course.rename), ("M2", Course.rewrite), ("M1 wide", Course.wide),
      ("M3", Course.pictures), ("M3 thumbnails", Course.thumbnails),
    ]
  }

  private var parts: [String] { races.map(\.name) + ["growth", "instructions"] }

  private func counted(_ course: Course) -> Result<Double, BenchError> {
    do {
      return .success(try Instructions(course).ratio(say: say))
    } catch let error as BenchError {
      return .failure(error)
    } catch {
      return .failure(BenchError("\(error)"))
    }
  }

  /// What was measured where, in a line.
  var remark: String {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return "W1 \(Format.count(options.rows)) rows, W2 \(Format.count(options.pictures)) pictures, "
      + "W3 \(Format.count(max(1, options.rows / 5))) rows; \(options.rounds) rounds; "
      + "SQLite \(SQLiteLibrary.version); \(processors) processors"
  }
}
