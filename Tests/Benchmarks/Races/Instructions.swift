import Foundation

/// How many instructions a row of M2 takes, as callgrind counts them.
///
/// The same every time, whatever else the machine does. What starting costs is left out: two sizes
/// are counted, and the difference is divided by the rows that one has more.
struct Instructions {
  private let course: Course
  private let sizes = (10_000, 20_000)

  init(_ course: Course) { self.course = course }

  /// A row of ours over a row of the peer in C.
  func ratio(say: (String) -> Void) throws -> Double {
    let need = Need.program("valgrind")
    guard Meter.succeeds(need.test) else { throw BenchError("valgrind is not installed") }
    let ours = try perRow(of: course.staged(Names.one, "rewrite", workers: 1), say)
    let peer = try perRow(of: course.c(Names.c, "lua"), say)
    return ours / peer
  }

  private func perRow(of contender: Contender, _ say: (String) -> Void) throws -> Double {
    let small = try count(contender, rows: sizes.0, say)
    let large = try count(contender, rows: sizes.1, say)
    return Double(large - small) / Double(sizes.1 - sizes.0)
  }

  private func count(_ contender: Contender, rows: Int, _ say: (String) -> Void) throws -> Int {
    say("instructions: \(contender.name), \(rows) rows")
    let trial = Trial(source: try course.store("things", rows: rows), folder: course.field)
    try? FileManager.default.removeItem(at: trial.folder)
    try FileManager.default.createDirectory(at: trial.folder, withIntermediateDirectories: true)
    let profile = trial.folder.appending(path: "profile").path
    let (_, complaints) = try Meter.output(
      of: ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(profile)"]
        + contender.command(trial))
    guard let count = Self.collected(complaints) else {
      throw BenchError("\(contender.name) under valgrind: \(complaints.suffix(300))")
    }
    return count
  }

  /// The number in callgrind's last words.
  static func collected(_ words: String) -> Int? {
    words.split(separator: "\n").last { $0.contains("Collected :") }
      .flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
  }
}
