/// `pipeline manual`: the manual page.
struct ManualCommand: Command {
  static let name = "manual"
  static let summary = "Print the manual page, in mdoc."
  static let examples = [
    Example("Read it", "pipeline manual | man -l -"),
    Example("Install it", "pipeline manual > /usr/local/share/man/man1/pipeline.1"),
  ]

  func run(_ context: Context) throws -> ExitStatus {
    try context.console.answer(
      Manual.page(for: context.program, version: Version.number, date: Version.date))
  }
}
