import StorePipeline

/// The program: its name, and all of its commands.
struct Program: Sendable {
  /// Commands of one purpose, under one heading of the list.
  struct Section: Sendable {
    /// The heading.
    let title: String
    /// The commands, in order.
    let entries: [Entry]

    /// A heading and its commands.
    init(_ title: String, _ entries: [Entry]) {
      self.title = title
      self.entries = entries
    }
  }

  /// A line of the list.
  enum Entry: Sendable {
    case command(any Command.Type)
    case group(CommandGroup)

    /// The word that calls it.
    var name: String {
      switch self {
      case .command(let command): command.name
      case .group(let group): group.name
      }
    }

    /// One sentence.
    var summary: String {
      switch self {
      case .command(let command): command.summary
      case .group(let group): group.summary
      }
    }
  }

  /// The word that calls the program.
  let name: String
  /// One sentence.
  let summary: String
  /// The commands, by purpose.
  let sections: [Section]

  /// Every command that does something, those of groups included, in the list's order.
  var commands: [CommandDescription] {
    sections.flatMap(\.entries).flatMap { entry in
      switch entry {
      case .command(let command): [command.describe([command.name])]
      case .group(let group):
        (group.own.map { [$0.describe([group.name])] } ?? [])
          + group.commands.map { $0.describe([group.name, $0.name]) }
      }
    }
  }

  /// The groups, in the list's order.
  var groups: [CommandGroup] {
    sections.flatMap(\.entries).compactMap { if case .group(let group) = $0 { group } else { nil } }
  }
}

/// Commands with a first word in common, such as `model diff` and `model hash`.
struct CommandGroup: Sendable {
  /// The first word.
  let name: String
  /// One sentence.
  let summary: String
  /// What the first word does where none of the commands follows it.
  var own: (any Command.Type)?
  let commands: [any Command.Type]

  /// Whether the command that follows the first word is meant.
  func isNamed(in words: some Sequence<String>) -> Bool {
    let first = words.first { !$0.hasPrefix("-") }
    return commands.contains { $0.name == first }
  }
}

/// A command without its type: what help, completions and the manual are made from.
struct CommandDescription: Sendable {
  /// The words that call it, without the program's.
  let path: [String]
  /// One sentence.
  let summary: String
  /// Further paragraphs, or nothing.
  let discussion: String
  /// Lines to paste.
  let examples: [Example]
  let arguments: [ArgumentForm]
  /// Those it shares with other commands.
  let shared: [ArgumentForm]

  /// What is known by its place.
  var positionals: [ArgumentForm] { arguments.filter(\.isPositional) }
  /// What is known by its name, without what is shared.
  var options: [ArgumentForm] { arguments.filter { !$0.isPositional } }
}

extension Command {
  /// The command without its type.
  static func describe(_ path: [String]) -> CommandDescription {
    CommandDescription(
      path: path, summary: summary, discussion: discussion, examples: examples,
      arguments: arguments.map(\.form), shared: GlobalOptions.arguments(shared).map(\.form))
  }
}
