public import CoreDataStore
internal import Foundation

/// What a user trusts who lets a pipeline start its programs: what the file says, and what the
/// programs are.
public struct HookTrust: Sendable, Hashable {
  /// The pipeline file, from the root on.
  public let file: String
  /// The programs, in the order of their stages, each with its words.
  public let programs: [Program]
  /// The SHA-256 of all that is trusted, in hexadecimal digits.
  public let digest: String
  /// The SHA-256 of the pipeline file, and of each file that a command names, by its path.
  package let contents: [String: String]

  /// A program that a pipeline starts.
  public struct Program: Sendable, Hashable {
    /// Its file.
    public let path: String
    /// The words of the command, as the pipeline file has them.
    public let words: [String]

    /// A program with its words.
    public init(path: String, words: [String]) {
      (self.path, self.words) = (path, words)
    }
  }

  /// Looks for the programs of a pipeline; nil when it starts none.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - environment: The environment, whose `PATH` leads to programs.
  ///   - stages: The stages that the pipeline was read with.
  /// - Throws: `Failure` when one is not there.
  public init?(
    _ pipeline: Pipeline, environment: [String: String], stages: StageRegistry = .standard
  ) throws(Failure) {
    try self.init(
      stages.declarations(of: pipeline).hooks, of: pipeline, environment: environment)
  }

  /// Looks for the programs of stages; nil when there are none.
  init?(
    _ hooks: [StageDeclarations.Hook], of pipeline: Pipeline, environment: [String: String]
  ) throws(Failure) {
    var commands: [HookCommand] = []
    for hook in hooks {
      commands.append(try HookCommand(hook, of: pipeline, environment: environment))
    }
    guard !commands.isEmpty else { return nil }
    file = URL(filePath: pipeline.file).absoluteURL.standardizedFileURL.path
    programs = commands.map { Program(path: $0.program, words: $0.words) }
    let named = commands.map(\.contents)
    digest = PlanDigests.of(
      [pipeline.digest, pipeline.folder, file] + zip(commands, named).map { $0.digest($1) })
    let all = named.flatMap(\.self) + [(file, HookCommand.digest(of: file))]
    contents = Dictionary(all.map { ($0.path, $0.sha256) }) { first, _ in first }
      .filter { !$0.value.isEmpty }
  }

  init(file: String, programs: [Program], digest: String, contents: [String: String]) {
    (self.file, self.programs, self.digest) = (file, programs, digest)
    self.contents = contents
  }

  /// The files whose content is another than it was, those that are new or gone among them; none
  /// where the list was written by a version that did not note them.
  package func changes(since earlier: HookTrust) -> [String] {
    guard !earlier.contents.isEmpty else { return [] }
    return Set(contents.keys).union(earlier.contents.keys)
      .filter { contents[$0] != earlier.contents[$0] }.sorted()
  }
}
