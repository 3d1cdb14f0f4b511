import StorePipeline

/// What an argument looks like from outside: all that help, completions and the manual need.
struct ArgumentForm: Sendable, Equatable {
  /// How an argument is written.
  enum Kind: Sendable, Equatable {
    case positional(isRequired: Bool, repeats: Bool)
    case option(short: Character?, repeats: Bool)
    case flag(short: Character?)
  }

  /// What an argument's value is.
  enum Content: Sendable, Equatable {
    case text
    /// A file that is read.
    case file
    /// A folder that is read.
    case folder
    /// A store, with all that belongs to it.
    case store
    case storeOrModel
    /// A pipeline file, or the JSON of a plan.
    case pipeline
    case script
    /// A model, or a store that holds one.
    case model
    /// The folder of a backup.
    case backup
    /// A file of tests, or a folder with some in it.
    case tests
    /// A path that is written to.
    case written(WrittenFile.Form)
    case choice([String])

    /// What completions offer for it: text, files, folders or words to choose from.
    var offered: Self {
      switch self {
      case .store, .storeOrModel, .pipeline, .script, .model, .tests: .file
      case .backup: .folder
      case .written(let form): form == .folder || form == .work ? .folder : .file
      default: self
      }
    }
  }

  /// The name, without dashes.
  let name: String
  /// How it is written.
  let kind: Kind
  /// The word that stands for the value in help, such as `PATH`.
  let value: String
  /// What the value is.
  let content: Content
  /// One or two sentences.
  let help: String
  /// The flag with which a positional has no place, where there is one.
  var missingWith: String?

  /// Whether the argument is known by its place.
  var isPositional: Bool { if case .positional = kind { true } else { false } }

  /// Whether a value follows the name.
  var takesValue: Bool { if case .option = kind { true } else { false } }

  /// Whether the argument may be given more than once.
  var repeats: Bool {
    switch kind {
    case .positional(_, let repeats), .option(_, let repeats): repeats
    case .flag: false
    }
  }

  /// The one-letter name, if there is one.
  var short: Character? {
    switch kind {
    case .positional: nil
    case .option(let short, _), .flag(let short): short
    }
  }

  /// The values to choose from, if there is a choice.
  var choices: [String] { if case .choice(let choices) = content { choices } else { [] } }

  /// The help, with what the table knows besides.
  var explanation: String {
    let choice = choices.isEmpty ? "" : " One of \(choices.joined(separator: ", "))."
    let repetition = repeats && !isPositional ? " May be given again." : ""
    return help + choice + repetition
  }

  /// How messages name the argument: `STORE` or `--output`.
  var spelling: String { isPositional ? value : "--\(name)" }

  /// How the usage line names a positional: `STORE`, `[STORE]`, `STORE...`.
  var place: String {
    guard case .positional(let isRequired, let repeats) = kind else { return spelling }
    let word = value + (repeats ? "..." : "")
    return isRequired ? word : "[\(word)]"
  }

  /// How the list in help names the argument: `-o, --output PATH`.
  var synopsis: String {
    guard !isPositional else { return place }
    let names = (short.map { "-\($0), " } ?? "    ") + "--\(name)"
    return takesValue ? "\(names) \(value)" : names
  }
}
