import CoreDataStore
import StorePipeline

/// The options commands have in common.
struct GlobalOptions: Sendable, Equatable {
  /// One JSON document on stdout instead of text.
  var json = false
  /// Where events are written, one JSON object a line.
  var events: String?
  var work: String?
  /// The longest value that is taken into memory.
  var longestValue: ByteCount?
  /// The threads that run the functions of one script.
  var workers: WorkerNumber?
  /// Notes are left out.
  var quiet = false
  var color = ColorMode.auto
  var help = false

  /// The table, cut down to what a command honours.
  static func arguments(_ shared: SharedOptions) -> [Argument<Self>] {
    var arguments: [Argument<Self>] = []
    if shared.contains(.json) {
      arguments.append(.flag("json", \.json, "Answer with one JSON document."))
    }
    if shared.contains(.events) {
      arguments.append(
        .option(
          "events", value: "FILE", \.events,
          "Append what happens to FILE, one JSON object a line.",
          takes: .written(.events)))
    }
    if shared.contains(.work) {
      arguments.append(
        .option(
          "work", value: "DIR", \.work,
          "Keep state, backups and rejects in DIR instead of next to the store.",
          takes: .written(.work)))
    }
    if shared.contains(.values) {
      arguments.append(
        .option(
          "longest-value", value: "SIZE", \.longestValue,
          "Take values up to SIZE into memory, as in '1 GB'; 100 MB unless given."))
    }
    if shared.contains(.workers) {
      arguments.append(
        .option(
          "workers", value: "N", \.workers,
          "Run the functions of a script on N threads; as many as there are processors, at most "
            + "4, unless given."))
    }
    return arguments + [
      .flag("quiet", short: "q", \.quiet, "Leave out notes and progress; errors stay."),
      .choice(
        "color", value: "WHEN", \.color, "Colour the text; auto asks the terminal and NO_COLOR."),
      .flag("help", short: "h", \.help, "Show this help."),
    ]
  }
}

/// Which of the common options a command honours, in addition to `--quiet`, `--color` and `--help`.
struct SharedOptions: OptionSet, Sendable {
  let rawValue: Int

  /// `--json`: the command answers, and the answer has a documented JSON form.
  static let json = Self(rawValue: 1)
  /// `--events FILE`: the command reports progress.
  static let events = Self(rawValue: 2)
  /// `--work DIR`: the command uses a store's work folder.
  static let work = Self(rawValue: 4)
  /// `--longest-value SIZE`: the command reads the values of objects.
  static let values = Self(rawValue: 8)
  /// `--workers N`: the command runs scripts on the objects of a store.
  static let workers = Self(rawValue: 16)
  /// All of them but `--workers`.
  static let all: Self = [.json, .events, .work, .values]
}

/// A number of threads for the functions of one script.
struct WorkerNumber: ArgumentValue, Equatable {
  static let expectation = "a whole number from 1 to 64"

  let count: Int

  init?(argument: String) {
    guard let count = Int(argument), (1...64).contains(count) else { return nil }
    self.count = count
  }
}

/// A number of bytes, as a command line gives it: "1 GB".
struct ByteCount: ArgumentValue, Equatable {
  static let expectation = "a number and a unit, as '1 GB' or '512 MiB'"

  let bytes: Int

  init?(argument: String) {
    guard let bytes = SizeText.read(argument) else { return nil }
    self.bytes = Int(clamping: bytes)
  }
}

extension GlobalOptions {
  /// Sets how long a value may be that is taken into memory.
  func limitValues() {
    StoreLimits.longestValue = longestValue?.bytes ?? StoreLimits.usualLongestValue
  }
}
