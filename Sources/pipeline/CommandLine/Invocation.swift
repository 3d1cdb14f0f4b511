import StorePipeline

/// A command whose words have been read: all that is left is to run it.
struct Invocation: Sendable {
  /// The options from the common table.
  let options: GlobalOptions
  /// What it reads and what it writes.
  let files: GivenFiles
  /// How many runs it does at a time.
  let worksAtOnce: Int
  /// Runs the command.
  let run: @Sendable (Context) async throws -> ExitStatus
}

extension Command {
  /// Reads the words that follow the command's name.
  static func read(_ words: [String], at topic: Topic) throws(Misuse) -> Invocation {
    do {
      let reading = try parse(words)
      return Invocation(
        options: reading.options, files: reading.files,
        worksAtOnce: reading.command.worksAtOnce, run: reading.command.run)
    } catch {
      throw Misuse(words: topic.words, error: error)
    }
  }

  /// The command and the common options that some words stand for.
  static func parse(_ words: [String]) throws(UsageError) -> Reading<Self> {
    let own = arguments.map { $0.within(\Reading<Self>.command) }
    let common = GlobalOptions.arguments(shared).map { $0.within(\Reading<Self>.options) }
    return try Parser.parse(
      words, into: Reading(command: Self()), by: (own + common).map { $0.noted(in: \.files) })
  }
}

/// A command and the common options, filled in together.
struct Reading<Body: Command>: Sendable {
  var command: Body
  var options = GlobalOptions()
  /// What it reads and what it writes, as far as the words name it.
  var files = GivenFiles()

  init(command: Body) { self.command = command }
}

extension Program {
  /// Runs a command on the words that follow its name.
  func run(
    _ invocation: Invocation, of type: any Command.Type, _ topic: Topic, _ words: [String],
    _ console: Console, _ cancellation: Cancellation
  ) async throws -> ExitStatus {
    guard !invocation.options.help else { return try console.explain(topic) }
    let status: ExitStatus
    do {
      status = try await perform(invocation, console, cancellation)
    } catch let error as UsageError {
      throw Misuse(words: topic.words, error: error)
    } catch let error as Interruption {
      throw topic.interruption(
        of: words, stores: error.stores, commands: error.commands, listed: error.listed)
    } catch is CancellationError where type.outlivesLostResults {
      throw topic.interruption(of: words, stores: "The store is unchanged.")
    }
    do {
      try console.finish()
    } catch {
      guard type.outlivesLostResults else { throw error }
      console.warn(error.problem.message)
    }
    return status
  }

  private func perform(
    _ invocation: Invocation, _ console: Console, _ cancellation: Cancellation
  ) async throws -> ExitStatus {
    var console = console
    console.isQuiet = invocation.options.quiet
    invocation.options.limitValues()
    try invocation.files.check()
    let log = try invocation.options.events.map { path throws(CommandFailure) in
      try EventLog(path: path, console: console)
    }
    let progress = ProgressReporter(console: console, log: log)
    defer { progress.end() }
    let context = Context(
      program: self, console: console, options: invocation.options, files: invocation.files,
      cancellation: cancellation, progress: progress)
    let task = RunStatus.stopping(with: { (cancellation.status ?? .interrupted).rawValue }) {
      Task { try await invocation.run(context) }
    }
    cancellation.onCancel { task.cancel() }
    return try await task.value
  }
}
