import Foundation
import StorePipeline

/// A command as the record of a run keeps it, so that it can be given again from any folder.
struct CommandRecord {
  enum Word {
    /// A path, which is kept from the root on.
    case path(String)
    /// An option with a path.
    case file(String, String)
    /// An option with a value.
    case option(String, String)
    /// An option without one.
    case flag(String)
  }

  private let type: any Command.Type
  private let words: [String]

  /// The words that stand for a command; all options have one word, so that no value is taken for
  /// an option.
  static func words(_ name: String, _ words: [Word]) -> [String] {
    let options = words.compactMap { word -> String? in
      switch word {
      case .path: nil
      case .file(let name, let path): "--\(name)=\(absolute(path))"
      case .option(let name, let value): "--\(name)=\(value)"
      case .flag(let name): "--\(name)"
      }
    }
    let paths = words.compactMap { if case .path(let path) = $0 { absolute(path) } else { nil } }
    return [name] + options + ["--"] + paths
  }

  /// A path that means the same in any folder.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  /// The command that some words stand for; nil when they stand for none that can be resumed.
  init?(words: [String]) {
    let types: [any Command.Type] = [
      RunCommand.self, UpgradeCommand.self, RestoreCommand.self, RollbackCommand.self,
      RetryCommand.self,
    ]
    guard let type = types.first(where: { $0.name == words.first }) else { return nil }
    self.type = type
    self.words = Array(words.dropFirst())
  }

  /// Gives the command again.
  func run(_ context: Context) async throws -> ExitStatus {
    try await type.giveAgain(words, context)
  }

  /// What speaks against giving the command again: another process may have written the record.
  ///
  /// - Returns: What the command does, as the end of a sentence; nil when it is about this store
  ///   alone, and nothing is written outside its folder.
  func doubt(about store: String) -> String? {
    for word in words.prefix(while: { $0 != "--" }) {
      let name = word.prefix { $0 != "=" }
      guard Self.options.contains(where: { "--\($0)" == name }) else {
        return "has the option \(name), which no record has"
      }
    }
    guard let files = type.files(of: words) else { return "is none of this program" }
    return files.doubt(about: store)
  }

  private static let options = [
    "accept-loss", "force", "models", "output", "set", "to", "values",
  ]

  /// What the command would do now; nil where nothing is planned, or cannot be any more.
  func plan(_ console: Console) -> Plan? {
    guard let type = type as? any PlannedCommand.Type else { return nil }
    return try? type.planAgain(words, console)
  }
}

/// A command that carries out a plan.
protocol PlannedCommand: Command {
  /// The plan, for the store as it is now.
  func plan(_ console: Console) throws -> Plan
}

extension Command {
  fileprivate static func files(of words: [String]) -> GivenFiles? { try? parse(words).files }

  fileprivate static func giveAgain(
    _ words: [String], _ context: Context
  ) async throws -> ExitStatus {
    let reading = try parse(words)
    var context = context
    context.files.add(reading.files)
    try context.files.check()
    return try await reading.command.run(context)
  }
}

extension PlannedCommand {
  fileprivate static func planAgain(_ words: [String], _ console: Console) throws -> Plan {
    try parse(words).command.plan(console)
  }
}
