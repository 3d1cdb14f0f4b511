internal import CoreDataStore
internal import Foundation
internal import Lua
internal import StoreMigration

/// Runs the tests of one file; what several of them need is made once.
final class TestBench {
  let file: TestFile
  /// What is given from outside.
  let settings: TestSettings
  private var pipelines: [String: Pipeline] = [:]
  private var plans: [Int: TrialPlan] = [:]

  init(_ file: TestFile, _ settings: TestSettings) {
    self.file = file
    self.settings = settings
  }

  /// Runs one test; gives back what is wrong, line by line.
  ///
  /// - Throws: ``PipelineFileError`` when the file names something that cannot be used, so that
  ///   none of its tests means anything.
  func run(_ test: TestDescription) async throws -> [String] {
    do {
      switch test.kind {
      case .case: return try CaseTest(test, self).run()
      case .property: return try PropertyTest(test, self).run()
      case .migration: return try await MigrationTest(test, self).run()
      }
    } catch let misfit as ScriptValue.Misfit {
      return ["\(misfit)"]
    } catch let failure as ScriptFailure {
      return Self.lines("\(failure)")
    } catch var error as Failure
      where [.unusable, .notCoreData, .busy].contains(error.kind)
    {
      if error.remedy == Failure.restore {
        error.remedy = "The test makes this store: correct the objects that it gives."
      }
      return Self.lines("\(error)")
    } catch let error as LuaError {
      return Self.lines("\(error)")
    }
  }

  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Where a path of the test file leads, as it is shown.
  func path(_ name: String) -> String {
    PipelinePath.shown(PipelinePath.resolve(name, in: file.folder))
  }

  /// The pipeline of an option, evaluated once for each set of params.
  func pipeline(_ name: String, _ set: LuaTable?) throws -> Pipeline {
    let parameters = (set?.pairs ?? []).compactMap { key, value in
      key.name.map { ($0, Self.text(value)) }
    }
    let id = ([path(name)] + parameters.map { "\($0)=\($1)" }).joined(separator: "\0")
    if let known = pipelines[id] { return known }
    let found = try PipelineFile(path: path(name)).pipeline(
      PipelineSettings(
        parameters: Dictionary(parameters) { first, _ in first },
        environment: settings.environment))
    pipelines[id] = found
    return found
  }

  /// A param as `--set` gives it.
  private static func text(_ value: LuaValue) -> String {
    switch value {
    case .boolean(let truth): "\(truth)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    default: value.text ?? ""
    }
  }

  /// The step that gives the test's script its objects.
  func plan(of test: TestDescription) throws -> TrialPlan {
    guard let script = test.script else {
      throw problem(test.line, "no script is named above it")
    }
    if let known = plans[script.line] { return known }
    let found = try plan(of: script, store: nil)
    plans[script.line] = found
    return found
  }

  /// The same for the objects that were put into a store: the steps of a chain need one, because
  /// each begins with the tables that the last one has made.
  func plan(of test: TestDescription, in store: String, _ plan: TrialPlan) throws -> TrialPlan {
    guard let script = test.script, !plan.before.isEmpty else { return plan }
    return try self.plan(of: script, store: Store(store, isBrief: true))
  }

  /// The entity of the objects that a test gives: where they go through earlier steps, the one that
  /// becomes the script's.
  func entity(givenTo plan: TrialPlan, _ test: TestDescription) throws -> String {
    if let origin = plan.origins.first { return origin }
    throw problem(
      test.script?.line ?? test.line,
      "no entity of '\(plan.step.from.name)' becomes '\(plan.script.entity)' in the steps before "
        + "the script's; give it objects of '\(plan.last.from.name)'")
  }

  private func plan(of script: TestScript, store: Store?) throws -> TrialPlan {
    let models = try models(of: script)
    let wanted = TrialModels.Script(
      path: path(script.name), entity: script.text("entity"),
      params: script.options["params"]?.optionValue.table ?? [:])
    let settings = PlanSettings(acceptedLosses: models.isScriptAlone ? ["*"] : [])
    let plan = try Planner(pipeline: models.pipeline(for: wanted), settings: settings)
      .plan(store: store)
    return try TrialPlan(
      plan, wanted, from: script.text("from"), isAlone: models.isScriptAlone)
  }

  private func models(of script: TestScript) throws -> TrialModels {
    if let name = script.text("pipeline") {
      return .pipeline(try pipeline(name, script.options["set"]?.table))
    }
    guard let models = script.options["models"] else {
      if let models = settings.models { return models }
      throw problem(
        script.line,
        "nothing says the models: write pipeline = \"...\", or models, from and to; "
          + "or give --pipeline, or --models with --from and --to")
    }
    guard let from = script.text("from"), let to = script.text("to") else {
      throw problem(script.line, "'models' needs 'from' and 'to', the names of two versions")
    }
    let names = models.text.map { [$0] } ?? models.table?.list.compactMap(\.text) ?? []
    return .versions(models: names.map(path), from: from, to: to)
  }

  /// A mistake in the test file.
  func problem(_ line: Int, _ message: String) -> PipelineFileError {
    PipelineFileError([Problem(file: file.path, line: line, message: message)])
  }

  /// What is wrong with some objects, by a test's `expect` and `golden`.
  func differences(
    _ test: TestDescription, _ got: [ObjectRecord], _ comparison: TestComparison
  ) throws -> [String] {
    var lines: [String] = []
    if let expected = test.options["expect"]?.table {
      lines += try comparison.differences(expected, got)
    }
    if let golden = test.text("golden") {
      lines += try GoldenFile(path: path(golden)).differences(
        GoldenFile.text(got), updates: settings.updatesGolden)
    }
    return lines
  }

  /// What is wrong with the way it failed, by a test's `error`; nil when that says nothing of it.
  static func difference(_ test: TestDescription, _ messages: [String]) -> [String]? {
    guard let wanted = test.text("error") else { return nil }
    if messages.contains(where: { $0.contains(wanted) }) { return [] }
    let got = messages.isEmpty ? ["no error"] : messages.flatMap(lines)
    return ["expected  an error with \(LuaText.quoted(wanted))"]
      + got.enumerated().map { ($0 == 0 ? "got       " : "          ") + $1 }
  }
}

extension LuaValue {
  /// The value as an option of a pipeline file holds it.
  var optionValue: OptionValue {
    switch self {
    case .null, .opaque: .table([:])
    case .boolean(let truth): .boolean(truth)
    case .integer(let number): .integer(number)
    case .real(let number): .number(number)
    case .string(let bytes): .text(text ?? String(decoding: bytes, as: UTF8.self))
    case .table(let table) where table.fields.isEmpty && !table.list.isEmpty:
      .list(table.list.map(\.optionValue))
    case .table(let table):
      .table(
        Dictionary(
          table.pairs.compactMap { key, value in key.name.map { ($0, value.optionValue) } }
        ) { first, _ in first })
    }
  }
}

/// A file that keeps what a test got once and was found good.
struct GoldenFile {
  /// The path, as it is shown.
  let path: String

  /// What objects look like in it; `WrittenFile` knows such a file by its first line.
  static func text(_ records: [ObjectRecord]) -> String {
    records.map { record in
      let lines = record.lines(most: 2000).map { "  \($0.name) = \($0.text)\n" }
      return "\(record.id.entity) \(record.id.key)\n\(lines.joined())"
    }.joined(separator: "\n")
  }

  /// Where a text differs from the file; with `updates` the file is made to hold the text.
  func differences(_ text: String, updates: Bool) throws -> [String] {
    let old = try? String(contentsOfFile: path, encoding: .utf8)
    guard old != text else { return [] }
    guard !updates else {
      try ProtectedFiles().check(WrittenFile(path, "golden", .golden))
      let folder = URL(filePath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path))
      return []
    }
    guard let old else {
      return ["there is no golden file \(path); --update writes it"]
    }
    return Self.differences(old, text, path) + ["--update takes what was got for right"]
  }

  private static func differences(_ old: String, _ new: String, _ path: String) -> [String] {
    let lines = { (text: String) in
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    let difference = lines(new).difference(from: lines(old))
    return difference.map { change in
      switch change {
      case .remove(let offset, let line, _): (offset, "\(path):\(offset + 1)  expected \(line)")
      case .insert(let offset, let line, _): (offset, "\(path):\(offset + 1)  got      \(line)")
      }
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
