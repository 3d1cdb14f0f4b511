// Measures the command against its peers, then what the layers cost: `make bench`.

import Foundation

func complain(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

/// Prints at once, so that a reader of a pipe sees how far it is.
func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

#if DEBUG
complain("This is a debug build: its numbers mean nothing. Use: make bench")
#endif

do {
  let options = try BenchOptions(CommandLine.arguments.dropFirst())
  // Read before anything is measured: a mistake in it is found at once.
  var record = try Record(reading: options.record)
  let bench = Bench(options, say: complain)
  tell(bench.remark + "\n")
  let findings = try bench.run { tell($0) }
  let goals = findings.goals.filter(options.wants)
  let comparison = GoalGuard(findings.isEmpty ? [] : goals, record)
  if !findings.isEmpty {
    if !goals.isEmpty { tell(GoalTable(goals).text + "\n") }
    if !options.json.isEmpty { try BenchJSON(findings).write(to: options.json) }
    if !options.plot.isEmpty {
      try Plot(findings, remark: bench.remark).write(to: options.plot)
    }
    if !options.page.isEmpty {
      try MeasuredPage(findings, remark: bench.remark).write(to: options.page)
    }
  }
  try Benchmark.measureAll(options.filter, print: tell)
  comparison.lines.forEach(tell)
  if options.records { try record.add(comparison.gained) }
  exit(comparison.status)
} catch {
  complain("bench: \(error)")
  exit(1)
}
