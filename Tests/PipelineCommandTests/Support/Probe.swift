@testable import pipeline

/// A program for tests: one command of every kind.
extension Program {
  static let probes = Program(
    name: "probe", summary: "Try the command line.",
    sections: [
      Section("Try", [.command(EveryKind.self), .command(Idle.self), .command(Refuse.self)]),
      Section("Compare", [.group(pairs)]),
    ])

  private static let pairs = CommandGroup(
    name: "pair", summary: "Compare two things.", commands: [PairDiff.self, PairHash.self])
}

/// Accepts one argument of every kind.
struct EveryKind: Command, Equatable {
  enum Form: String, ArgumentChoice { case text, html, json }

  static let name = "every"
  static let summary = "Accept every kind of argument."
  static let discussion = "Nothing is done with them."
  static let examples = [Example("Give the least", "probe every a b")]
  static let arguments: [Argument<Self>] = [
    .repeating("source", \.sources, "What to read.", takes: .file),
    .positional("target", \.target, "Where to write.", takes: .folder),
    .option("output", short: "o", value: "PATH", \.output, "Write here.", takes: .file),
    .option("batch", short: "b", value: "ROWS", \.batch, "Rows held in memory at once."),
    .repeated("set", value: "NAME=VALUE", \.sets, "Set a parameter."),
    .choice("form", short: "f", value: "FORM", \.form, "How to report."),
    .flag(
      "dry-run", short: "n", \.dryRun,
      "Plan and check and say all that would be done, in order, but write nothing."),
    .flag("all", short: "a", \.all, "Do all of it."),
  ]
  static let shared: SharedOptions = .all

  var sources: [String] = []
  var target = ""
  var output: String?
  var batch = 100
  var sets: [String] = []
  var form = Form.text
  var dryRun = false
  var all = false

  func run(_ context: Context) -> ExitStatus {
    context.console.note("a note")
    context.console.result("\(sources) \(target)")
    return .done
  }
}

/// Waits until it has to stop.
struct Idle: Command {
  static let name = "wait"
  static let summary = "Wait until told to stop."
  static let examples = [Example("Wait", "probe wait")]

  func run(_ context: Context) async throws -> ExitStatus {
    await withCheckedContinuation { continuation in
      context.cancellation.onCancel { continuation.resume() }
    }
    try context.cancellation.check()
    return .done
  }
}

/// Fails in the way that the test asked for.
struct Refuse: Command {
  enum Way: String, ArgumentChoice { case no, usage, busy, several, unknown, cancelled }

  struct Several: ReportableError {
    let status = ExitStatus.misuse
    let problems = [
      Problem("unknown stage copi; did you mean copy?", at: "a.pipeline:3"),
      Problem("cannot find b.lua", at: "a.pipeline:9", hint: "Check the path."),
    ]
  }

  struct Unknown: Error {}

  static let name = "refuse"
  static let summary = "Fail in some way."
  static let examples = [Example("Be busy", "probe refuse busy")]
  static let arguments: [Argument<Self>] = [.positional("way", \.way, "How to fail.")]

  var way = Way.no

  func run(_ context: Context) throws -> ExitStatus {
    switch way {
    case .no: return .no
    case .usage: throw UsageError("--a and --b do not go together")
    case .busy:
      throw CommandFailure(.busy, "cannot open a.sqlite: it is locked", hint: "Try again.")
    case .several: throw Several()
    case .unknown: throw Unknown()
    case .cancelled: throw CancellationError()
    }
  }
}

/// Replaces a store, or says so.
struct Replace: Command {
  static let name = "replace"
  static let summary = "Replace a store."
  static let examples = [Example("Replace it", "probe replace")]
  static let outlivesLostResults = true

  func run(_ context: Context) -> ExitStatus {
    context.console.result("replaced")
    return .done
  }
}

/// A command with a first word.
struct PairDiff: Command {
  static let name = "diff"
  static let summary = "Say how two things differ."
  static let examples = [Example("Compare", "probe pair diff a b")]
  static let arguments: [Argument<Self>] = [
    .positional("a", \.a, "The one."), .optional("b", \.b, "The other."),
  ]
  static let shared: SharedOptions = .json

  var a = ""
  var b: String?

  func run(_ context: Context) -> ExitStatus {
    context.console.result("\(a) \(b ?? "-") \(context.options.json)")
    return .done
  }
}

/// Another command with the same first word.
struct PairHash: Command {
  static let name = "hash"
  static let summary = "Say what a thing's hash is."
  static let examples = [Example("Hash", "probe pair hash")]

  func run(_ context: Context) -> ExitStatus { .done }
}
