internal import CoreDataStore

/// The shells there are completion scripts for.
enum Shell: String, ArgumentChoice {
  case bash, zsh, fish

  /// A completion script, made from the commands' own tables.
  func script(for program: Program) -> String {
    switch self {
    case .bash: BashCompletions(program: program).script
    case .zsh: ZshCompletions(program: program).script
    case .fish: FishCompletions(program: program).script
    }
  }
}

extension String {
  /// The text as one word of a shell.
  var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}

extension ArgumentForm {
  /// The names as they are typed: `-o` and `--output`.
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}

/// A place where words are completed: the program, a group, or a command.
struct CompletionPlace: Sendable {
  /// The words that lead here, without the program's.
  let path: [String]
  /// The commands that may follow, with their summaries.
  let commands: [(name: String, summary: String)]
  /// What is known by its place.
  let positionals: [ArgumentForm]
  /// What is known by its name.
  let options: [ArgumentForm]

  /// All places of a program, itself first.
  static func all(of program: Program) -> [CompletionPlace] {
    let top = CompletionPlace(
      path: [], commands: program.sections.flatMap(\.entries).map { ($0.name, $0.summary) },
      positionals: [], options: LeadingOptions.shown)
    let groups = program.groups.filter { $0.own == nil }.map { group in
      CompletionPlace(
        path: [group.name], commands: group.commands.map { ($0.name, $0.summary) },
        positionals: [], options: GlobalOptions.arguments([]).map(\.form))
    }
    let commands = program.commands.map { command in
      let group = program.groups.first { [$0.name] == command.path }
      return CompletionPlace(
        path: command.path, commands: group?.commands.map { ($0.name, $0.summary) } ?? [],
        positionals: command.positionals, options: command.options + command.shared)
    }
    return [top] + groups + commands
  }
}
