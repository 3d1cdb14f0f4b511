import Foundation

/// How many instructions a row of M2 takes, as callgrind counts them: the loop over the rows, with
/// SQLite's reading and writing and the script in it.
///
/// The same every time, whatever else the machine does.
struct Instructions {
  private let course: Course
  private let rows = 20_000

  init(_ course: Course) { self.course = course }

  /// A row of ours over a row of the peer in C.
  func ratio(say: (String) -> Void) throws -> Double {
    for need in [Need.program("valgrind"), .program("strip")] where !Meter.succeeds(need.test) {
      throw BenchError.lack("\(need.name) is not installed; `make bench-deps`")
    }
    let ours = try count(course.staged(Names.one, "rewrite", workers: 1), of: "lh_run_rows", say)
    let peer = try count(course.c(Names.c, "lua"), of: "rewrite_rows", say)
    guard ours > 0, peer > 0 else { throw BenchError("callgrind did not find the loops") }
    return Double(ours) / Double(peer)
  }

  private func count(_ contender: Contender, of loop: String, _ say: (String) -> Void) throws -> Int
  {
    say("instructions: \(contender.name)")
    let trial = try contender.trial(of: course.store("things", rows: rows), in: course.field)
    var command = contender.command(trial)
    // Valgrind cannot read what Swift leaves for debuggers; the names of functions stay.
    let bare = trial.folder.appending(path: "bare").path
    _ = try Meter.output(of: ["strip", "-g", "-o", bare, command[0]])
    command[0] = bare
    let (_, complaints) = try Meter.output(
      of: [
        "valgrind", "--tool=callgrind", "--toggle-collect=\(loop)",
        "--callgrind-out-file=\(trial.folder.appending(path: "profile").path)",
      ] + command)
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
