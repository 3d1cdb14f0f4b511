internal import CoreDataStore
import StorePipeline

/// The manual page, in mdoc(7), made from the commands' own tables.
struct Manual {
  private let program: Program
  private var lines: [String] = []

  /// The page, without the last line end.
  static func page(for program: Program, version: String, date: String) -> String {
    var manual = Manual(program: program)
    manual.start(version, date)
    manual.commands()
    manual.commonOptions()
    manual.surroundings()
    manual.statuses()
    manual.end()
    return manual.lines.joined(separator: "\n")
  }

  private init(program: Program) { self.program = program }

  private mutating func start(_ version: String, _ date: String) {
    lines += [
      ".Dd \(date)", ".Dt \(program.name.uppercased()) 1", ".Os \(program.name) \(version)",
      ".Sh NAME", ".Nm \(program.name)", ".Nd migrate Core Data and SwiftData stores",
      ".Sh SYNOPSIS",
      ".Nm \(program.name)", ".Ar COMMAND", ".Op Ar options", ".Nm \(program.name)",
      ".Cm help", ".Op Ar COMMAND",
      ".Sh DESCRIPTION",
    ]
    lines += sentences(program.summary)
    text(
      """
      The store is only read until the run replaces it, and it is replaced in one transaction: \
      whatever interrupts a run, the old store is there or the new one, and never a mixture.
      """)
  }

  private mutating func commands() {
    lines.append(".Sh COMMANDS")
    for command in program.commands { write(command) }
  }

  private mutating func write(_ command: CommandDescription) {
    lines.append(".Ss \(program.name) \(command.path.joined(separator: " "))")
    let places = command.positionals.map(place).map { " \($0)" }.joined()
    lines += [
      ".Nm \(program.name)", ".Cm \(command.path.joined(separator: " "))", ".Op Ar options",
    ]
    if !places.isEmpty { lines += command.positionals.map { ".\(place($0))" } }
    text(command.summary)
    let arguments = command.positionals + command.options
    if !arguments.isEmpty { list(arguments.map { (item($0), $0.explanation) }) }
    let common = command.shared.map { "Fl \(escaped("-" + $0.name))" }
    lines +=
      [".Pp", "Common options:"]
      + common.enumerated().map { index, name in
        ".\(name) \(index == common.count - 1 ? "." : ",")"
      }
    if !command.discussion.isEmpty { text(command.discussion) }
    examples(command.examples)
  }

  private mutating func commonOptions() {
    lines += [".Sh COMMON OPTIONS"]
    lines.append("A command has those of these options that its own section names.")
    list(GlobalOptions.arguments(.all).map(\.form).map { (item($0), $0.explanation) })
  }

  private mutating func surroundings() {
    lines.append(".Sh ENVIRONMENT")
    list(Self.variables.map { (".It Ev \($0)", $1) })
    lines.append(".Sh FILES")
    list(Self.files.map { (".It Pa \(escaped($0))", $1) })
  }

  private static let variables = [
    ("COLUMNS", "The width of the text where the terminal does not report it."),
    ("NO_COLOR", "If set and not empty, nothing is coloured unless --color asks for it."),
    ("TERM", "If it is dumb, nothing is coloured unless --color asks for it."),
  ]

  private static let files = [
    ("STORE.pipeline/", "The work folder of a store, unless --work names another."),
    ("STORE.pipeline/run/", "State, log and new store of a run that is not finished."),
    ("STORE.pipeline/backups/", "Stores as they were before they were replaced."),
    ("STORE.pipeline/rejects.sqlite", "Objects that a run rejected."),
  ]

  private mutating func statuses() {
    lines.append(".Sh EXIT STATUS")
    list(ExitStatus.allCases.map { (".It \($0.rawValue)", "\($0.meaning) \($0.store)") })
  }

  private mutating func end() {
    lines += [".Sh SEE ALSO", ".Xr lua 1 ,", ".Xr sqlite3 1"]
  }

  private mutating func examples(_ examples: [Example]) {
    for example in examples {
      lines += [".Pp", escaped(example.purpose) + ":"]
      lines += [".Bd -literal -offset indent", escaped(example.line), ".Ed"]
    }
  }

  private mutating func list(_ items: [(item: String, text: String)]) {
    lines.append(".Bl -tag -width Ds")
    for (item, text) in items { lines += [item] + sentences(text) }
    lines.append(".El")
  }

  private mutating func text(_ text: String) {
    for line in text.split(separator: "\n") { lines += [".Pp"] + sentences(line) }
  }

  /// A sentence a line, as roff wants it to space them, in lines of a readable length.
  private func sentences(_ text: some StringProtocol) -> [String] {
    String(text).replacing(". ", with: ".\n").wrapped(to: 76).map(escaped)
  }

  private func item(_ form: ArgumentForm) -> String {
    guard !form.isPositional else { return ".It Ar \(escaped(form.place))" }
    let short = form.short.map { "Fl \($0) , " } ?? ""
    let value = form.takesValue ? " Ar \(escaped(form.value))" : ""
    return ".It \(short)Fl \(escaped("-" + form.name))\(value)"
  }

  private func place(_ form: ArgumentForm) -> String { "Ar \(escaped(form.place))" }

  /// Text that roff takes as it is: no escapes, no requests, and dashes that can be copied.
  private func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
  }
}
