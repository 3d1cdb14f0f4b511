/// A command: a struct whose properties are its arguments and whose `run` does the work.
protocol Command: Sendable {
  /// The word that calls it.
  static var name: String { get }
  /// One sentence, with a full stop.
  static var summary: String { get }
  /// What a reader of `--help` should know beyond the tables. Empty lines separate paragraphs.
  static var discussion: String { get }
  /// Lines to paste, the most common first.
  static var examples: [Example] { get }
  /// What it accepts, in the order help shows.
  static var arguments: [Argument<Self>] { get }
  /// The options from the common table that it honours, beyond those every command has.
  static var shared: SharedOptions { get }

  /// Whether the status stands although results could not be written: true of what replaces a
  /// store, since a status other than 0 promises that the old one is in place.
  static var outlivesLostResults: Bool { get }

  /// How many runs it does at a time, each of which takes memory of its own.
  var worksAtOnce: Int { get }

  /// The command as it is before a word has been read.
  init()

  /// Does the work. An answer of no is a status; what could not be done is thrown.
  func run(_ context: Context) async throws -> ExitStatus
}

extension Command {
  static var discussion: String { "" }
  static var arguments: [Argument<Self>] { [] }
  static var shared: SharedOptions { [] }
  static var outlivesLostResults: Bool { false }
  var worksAtOnce: Int { 1 }
}

/// A line to paste, and what it is good for.
struct Example: Sendable, Equatable {
  /// What the line does, in a few words without a full stop.
  let purpose: String
  let line: String

  init(_ purpose: String, _ line: String) {
    self.purpose = purpose
    self.line = line
  }
}

/// What surrounds a command while it runs.
struct Context: Sendable {
  let program: Program
  /// Where it writes.
  let console: Console
  /// The options from the common table, as given.
  let options: GlobalOptions
  /// What the words name to be read and written; what is found out later is added and checked.
  var files: GivenFiles
  /// The run that `resume` has found cut short.
  var resumed: String?
  /// Whether the user wants it to stop.
  let cancellation: Cancellation
  /// Where it says how far it is.
  let progress: ProgressReporter
}
