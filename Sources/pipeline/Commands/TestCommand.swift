import StorePipeline

/// `pipeline test`: tests of scripts and pipelines, without a store.
struct TestCommand: Command {
  static let name = "test"
  static let summary = "Run the tests of scripts and pipelines; no store is needed."
  static let discussion = """
    A test file is Lua and its name ends in _test.lua. It names a script and what stands around \
    it, then cases: objects in, objects out. A property says what holds for objects made from the \
    model, with the values that are easily forgotten; a migration makes a store, runs the whole \
    pipeline on it and compares.

    In a chain of versions `from` in the line `script` names the version of the objects that the \
    tests give; they go through the steps before the script's first.

    Folders are searched, the current one when no path is given. The status is 1 when a test \
    fails and 2 when a file does not load. Golden files are written with --update.

    With --keep, the store of each test stays in a folder, named for the test's file, line and \
    name; that of a migration twice, as it was and migrated.
    """
  static let examples = [
    Example("All tests below a folder", "pipeline test scripts"),
    Example(
      "Models from outside",
      "pipeline test note_test.lua --models Notes.xcdatamodeld --from Notes --to 'Notes 2'"),
    Example("Look at the stores afterwards", "pipeline test scripts --keep stores"),
    Example("For a build server", "pipeline test scripts --junit tests.xml"),
  ]
  static let arguments: [Argument<Self>] =
    [
      .repeating(
        "path", \.paths, "Test files, and folders with some in them.", isRequired: false,
        takes: .tests),
      .flag("update", \.update, "Write golden files again."),
      .flag("tap", \.tap, "Print the results as TAP, version 14."),
      .option(
        "junit", value: "FILE", \.junit, "Write the results as JUnit's XML.",
        takes: .written(.results)),
      .option(
        "keep", value: "DIR", \.keep,
        "Leave the stores that the tests make in DIR, which must not be there yet, or be empty.",
        takes: .written(.folder)),
    ] + ScriptModelsArgument.arguments.map { $0.within(\.models) }
  static let shared: SharedOptions = .json

  var paths: [String] = []
  var update = false
  var tap = false
  var junit: String?
  var keep: String?
  var models = ScriptModelsArgument()

  func run(_ context: Context) async throws -> ExitStatus {
    let console = context.console
    guard !tap || !context.options.json else {
      throw UsageError("--tap and --json do not go together")
    }
    let settings = TestSettings(
      models: try models.open(console), updatesGolden: update, environment: console.environment,
      keep: keep)
    let files = try TestFiles.find(paths.isEmpty ? ["."] : paths)
    let summary = try await ScriptTests(files, settings).run()
    if let junit {
      try NewFile(path: junit).replace(JUnitTestReport(summary).text)
    }
    console.result(text(summary, context))
    if !summary.problems.isEmpty, !context.options.json {
      console.report(FileMistakes(summary.problems).problems)
    }
    return ExitStatus(rawValue: summary.status) ?? .no
  }

  private func text(_ summary: TestSummary, _ context: Context) -> String {
    if context.options.json { return JSONTestReport(summary).text }
    if tap { return TAPTestReport(summary).text }
    return TextTestReport(summary, style: context.console.outputStyle).text
  }
}
