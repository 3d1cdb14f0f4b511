import Foundation

/// The same by a tracer of system calls, where `PIPELINE_KILLAT` names one: it kills a run from
/// outside, and knows nothing of the counter.
enum Tracer {
  /// The tracer's program.
  static var program: String? {
    guard let path = ProcessInfo.processInfo.environment["PIPELINE_KILLAT"],
      FileManager.default.isExecutableFile(atPath: path)
    else { return nil }
    return path
  }

  /// Kills a run at every so many of its system calls.
  static func kill(
    _ program: String, _ bench: Bench, every step: Int, recoveryEvery second: Int = 0,
    mode: String = "before", in scratch: URL
  ) throws -> Score {
    let template = try Template(Setting(.run, bench.setting.method), in: scratch)
    let after = Look.after(template.folder)
    try? FileManager.default.removeItem(at: after)
    try FileManager.default.copyItem(at: template.folder, to: after)
    guard try Child(words: template.words, folder: after).run().status == 0 else {
      throw TortureError("the run fails untouched")
    }
    let place = scratch.appending(path: "traced")
    // The tracer puts `exec` before it: it has to be one command.
    let line =
      "cd $WORK && TMPDIR=$WORK/.. exec \(quoted(Child.command.path)) "
      + template.words.joined(separator: " ")
    let command = "bash -c \(quoted(line))"
    let words = [
      program, "-S", "cp -a \(quoted(template.folder.path))/. $WORK", "-C",
      "\(quoted(CommandLine.arguments[0])) look $WORK \(quoted(template.folder.path)) $STAGE $RC",
      "-R", command, "-m", mode, "-k", "\(step)", "-D", "\(second)", "-o", place.path, "--",
      command,
    ]
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["bash"] + words
    var environment = ProcessInfo.processInfo.environment
    environment["KILLN"] = try tool(beside: program, in: scratch)
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try score(String(decoding: bytes, as: UTF8.self))
  }

  /// The tracer is built here: its own folder need not be writable.
  private static func tool(beside program: String, in scratch: URL) throws -> String {
    let source = URL(filePath: program).deletingLastPathComponent().appending(path: "killn.c")
    let tool = scratch.appending(path: "killn").path
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["cc", "-O2", "-o", tool, source.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw TortureError("no compiler for the tracer") }
    return tool
  }

  private static func score(_ text: String) throws -> Score {
    let lines = text.split(separator: "\n").map(String.init)
    guard let line = lines.first(where: { $0.hasPrefix("killat: mode=") }) else {
      throw TortureError("the tracer says: \(text)")
    }
    func number(_ name: String) -> Int {
      let part = line.split(separator: " ").first { $0.hasPrefix("\(name)=") }
      return part.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
    let failed = lines.drop { !$0.hasPrefix("failed points") }.dropFirst()
    let missing = number("failed") - failed.count
    let others = Array(repeating: "another point", count: max(0, missing))
    return Score(points: number("points") + number("double_kills"), failures: failed + others)
  }

  private static func quoted(_ word: String) -> String {
    "'\(word.replacing("'", with: "'\\''"))'"
  }
}
