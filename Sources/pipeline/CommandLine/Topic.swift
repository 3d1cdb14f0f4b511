import CoreDataStore
import StorePipeline

/// A place in the tree of commands, about which help can be asked.
struct Topic: Sendable {
  /// What is there.
  enum Subject: Sendable {
    case program(Program)
    case group(CommandGroup)
    case command(any Command.Type)
  }

  /// What one types to get there, such as `pipeline model diff`.
  let words: String
  /// What is there.
  let subject: Subject

  /// The topic one word further on.
  func step(into word: String) throws(Misuse) -> Topic {
    let entries = entries
    guard !entries.isEmpty else {
      throw Misuse(words: words, error: UsageError("unexpected argument \(word.quoted)"))
    }
    guard let entry = entries.first(where: { $0.name == word }) else {
      let near = NearestName.suggestion(for: word, among: entries.map(\.name))
      let meant = near.isEmpty ? Self.meant(by: word).map { "; did you mean \($0)?" } : near
      throw Misuse(
        words: words, error: UsageError("unknown command \(word.word)\(meant ?? "")"))
    }
    let further = "\(words) \(word)"
    switch entry {
    case .command(let type): return Topic(words: further, subject: .command(type))
    case .group(let group): return Topic(words: further, subject: .group(group))
    }
  }

  /// What users of other tools type, and what it is called here.
  private static let otherWords: [(words: [String], commands: String)] = [
    (["migrate", "up", "apply", "execute", "convert"], "run or upgrade"),
    (["undo", "revert", "down", "downgrade"], "rollback"),
    (["lint", "verify-file"], "check"), (["validate", "preflight"], "plan --preflight"),
    (["dry-run", "preview", "simulate"], "run --dry-run"), (["compare"], "diff"),
    (["info", "show", "describe", "version"], "inspect"), (["explain"], "plan"),
    (["init", "create", "generate", "scaffold", "revision", "make"], "new"),
    (["watch"], "try --watch"), (["prune", "gc"], "clean or backup --prune"),
    (["cancel", "stop", "abort", "give-up"], "abandon or resume --give-up"),
    (["continue"], "resume"), (["history", "log", "current", "ls", "list"], "status"),
    (["save", "dump", "export"], "backup"), (["import", "recover"], "restore"),
    (["hash", "extract"], "model hash or model extract"), (["man"], "manual"),
  ]

  private static func meant(by word: String) -> String? {
    otherWords.first { $0.words.contains(word.lowercased()) }?.commands
  }

  private var entries: [Program.Entry] {
    switch subject {
    case .program(let program): program.sections.flatMap(\.entries)
    case .group(let group): group.commands.map { .command($0) }
    case .command: []
    }
  }
}

extension Program {
  /// The topic all others are below.
  var top: Topic { Topic(words: name, subject: .program(self)) }
}

/// A wrong command line, and the words whose help says what is right.
struct Misuse: Error, Equatable {
  /// What one types to get to that help.
  let words: String
  /// What is wrong.
  let error: UsageError

  /// The two lines a person sees.
  var text: String {
    let correction = error.correction.map { ": \(words) \($0)" } ?? ""
    return "\(words): \(error.message)\(correction)\nTry '\(words) --help'."
  }
}
