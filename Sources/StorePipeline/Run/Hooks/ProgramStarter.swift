public import CoreDataStore

/// Starts the programs of stages `hook`.
///
/// The library starts none by itself. The product `StorePipeline` has `SystemPrograms`, in the
/// module `StorePrograms`, for Linux and macOS; where there is no such thing, as in an app, a
/// pipeline with hooks is refused before it does anything.
public protocol ProgramStarter: Sendable {
  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - call: The program and what it is given.
  ///   - stops: Whether it is to stop; asked again and again.
  ///   - report: Is given what the program prints, line by line.
  /// - Throws: `Failure` when the program fails, `CancellationError` when it was stopped.
  func run(_ call: ProgramCall, stops: () -> Bool, report: (String) -> Void) throws
}

/// A program to start, and what it is given.
public struct ProgramCall: Sendable, Hashable {
  /// The program's file.
  public let program: String
  /// Its arguments, its own name not among them.
  public let arguments: [String]
  /// Its environment.
  public let environment: [String: String]
  /// The folder it is started in: that of the pipeline file.
  public let folder: String
  /// How long it may take.
  public let time: Duration

  init(_ command: HookCommand, _ facts: HookFacts, environment: [String: String]) {
    (program, folder, time) = (command.program, command.folder, command.time)
    arguments = command.words.dropFirst().map(facts.fill)
    self.environment = facts.environment(besides: environment)
  }

  /// The time as a pipeline file has it: "20 s".
  public var timeText: String { DurationText.write(time) }

  /// The program's failure, with the reason for it.
  public func failure(_ why: String) -> Failure {
    Failure(
      .no, what: "cannot run the program", subject: program, why: why,
      remedy: "Without -q the run shows what it prints. Run it by hand, or take the stage hook out."
    )
  }
}
