import StorePipeline

/// The text of `--help`, about a command, a group or the whole program.
///
/// The order is a sentence, usage, arguments, options, examples, and what else there is to say.
struct Help {
  private let style: Style
  private let width: Int
  private var lines: [String] = []

  /// The page about a topic, without the last line end.
  static func page(_ topic: Topic, _ style: Style, _ width: Int) -> String {
    var help = Help(style: style, width: max(40, min(width, 80)))
    switch topic.subject {
    case .program(let program): help.write(program)
    case .group(let group): help.write(group, topic.words)
    case .command(let command): help.write(command.describe([]), topic.words)
    }
    return help.lines.joined(separator: "\n")
  }

  private init(style: Style, width: Int) {
    self.style = style
    self.width = width
  }

  private mutating func write(_ program: Program) {
    lines += program.summary.wrapped(to: width)
    write(usage: "\(program.name) COMMAND [options]")
    let column = program.sections.flatMap(\.entries).map(\.name.count).max() ?? 0
    for section in program.sections {
      let rows = section.entries.map { ($0.name.padded(to: column), $0.summary) }
      write(section.title, rows)
    }
    write("Pages of help", HelpPage.allCases.map { ($0.rawValue.padded(to: column), $0.summary) })
    write("Options", LeadingOptions.shown)
    lines += [
      "",
      "'\(program.name) help COMMAND' explains a command, and '... help PAGE' prints a page.",
    ]
  }

  private mutating func write(_ group: CommandGroup, _ words: String) {
    guard group.own == nil else { return writeOwn(group, words) }
    lines += group.summary.wrapped(to: width)
    write(usage: "\(words) COMMAND [options]")
    write("Commands", group.commands.map { ($0.name, $0.summary) })
    write("Options", GlobalOptions.arguments([]).map(\.form))
    lines += ["", "'\(words) COMMAND --help' says more about a command."]
  }

  private mutating func writeOwn(_ group: CommandGroup, _ words: String) {
    if let own = group.own { write(own.describe([]), words) }
    write("More commands", group.commands.map { ("\(words) \($0.name)", $0.summary) })
  }

  private mutating func write(_ command: CommandDescription, _ words: String) {
    lines += command.summary.wrapped(to: width)
    write(usage: ([words, "[options]"] + command.positionals.map(\.place)).joined(separator: " "))
    write("Arguments", command.positionals)
    write("Options", command.options)
    write(command.options.isEmpty ? "Options" : "Common options", command.shared)
    write(command.examples)
    guard !command.discussion.isEmpty else { return }
    lines += [""] + command.discussion.wrapped(to: width)
  }

  private mutating func write(usage: String) {
    let text = usage.wrapped(to: width - 7)
    lines += ["", "\(style.bold("Usage:")) \(text.first ?? "")"]
    lines += text.dropFirst().map { String(repeating: " ", count: 11) + $0 }
  }

  private mutating func write(_ title: String, _ arguments: [ArgumentForm]) {
    write(title, arguments.map { ($0.synopsis, $0.explanation) })
  }

  private mutating func write(_ title: String, _ rows: [(String, String)]) {
    guard !rows.isEmpty else { return }
    lines += ["", style.bold("\(title):")] + Columns(rows: rows).lines(width: width)
  }

  private mutating func write(_ examples: [Example]) {
    guard !examples.isEmpty else { return }
    lines += ["", style.bold("Examples:")]
    lines += examples.flatMap { ["  # \($0.purpose)", "  \($0.line)"] }
  }
}
