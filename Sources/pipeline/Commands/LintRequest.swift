import CoreDataStore
import Foundation
import StorePipeline

extension ModelDiffCommand {
  /// The rules that the command line names, and what it allows.
  struct LintRequest {
    private let failing: [LintRule]
    private let warning: [LintRule]
    private let allowances: [ModelLint.Allowance]
    private let target: ModelArgument

    /// What was asked of the rules; nil when nothing was.
    ///
    /// Where only a form of output is asked for, all rules speak and none fails.
    init?(_ command: ModelDiffCommand, isJSON: Bool) throws {
      let wantsForm = command.isForGitHub || command.sarif != nil
      guard !command.isForGitHub || !isJSON else {
        throw UsageError("--github and --json do not go together")
      }
      let isAsked = !command.failing.isEmpty || !command.warning.isEmpty
      guard isAsked || wantsForm else {
        guard command.allowed.isEmpty, command.allowances.isEmpty else {
          throw UsageError("nothing is to be allowed without --fail-on or --warn-on")
        }
        return nil
      }
      failing = try Self.rules(command.failing, "--fail-on")
      let quiet = command.isForCloudKit ? "" : "cloudkit"
      warning =
        isAsked
        ? try Self.rules(command.warning, "--warn-on")
        : LintRule.all.filter { $0.group.rawValue != quiet }
      let options = try command.allowed.map { text in
        try Self.allowance(text) { UsageError("--allow takes \($0)") }
      }
      allowances = try options + command.allowances.flatMap(Self.allowances)
      target = ModelArgument(path: command.b ?? command.a, version: command.to)
    }

    /// What the rules find in the difference of two models.
    func lint(_ report: ModelDifferenceReport) throws -> ModelLint {
      let (path, lines) = try target.lines()
      return ModelLint(
        report, failing: failing, warning: warning, allowing: allowances, path: path,
        lines: lines)
    }

    private static func rules(_ lists: [String], _ option: String) throws -> [LintRule] {
      try lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.flatMap {
        word in
        let rules = LintRule.named(String(word))
        guard !rules.isEmpty else {
          throw UsageError(
            "\(option): there is no rule \(String(word).quoted)\(Self.advice(for: String(word)))")
        }
        return rules
      }
    }

    private static func advice(for word: String) -> String {
      let near = LintRule.suggestion(for: word)
      return near.isEmpty ? "; 'pipeline model \(ModelRulesCommand.name)' lists them" : near
    }

    private static func allowance(
      _ text: String, _ mistake: (String) -> any Error
    ) throws -> ModelLint.Allowance {
      guard let allowance = ModelLint.Allowance(text) else {
        throw mistake("RULE = REASON or RULE:SUBJECT = REASON, not \(text.quoted)")
      }
      guard LintRule.all.contains(where: { $0.name == allowance.rule }) else {
        throw mistake(
          "the name of a rule, not \(allowance.rule.quoted)\(advice(for: allowance.rule))")
      }
      return allowance
    }

    /// The allowances of a file, a line each.
    private static func allowances(_ path: String) throws -> [ModelLint.Allowance] {
      guard FilePlace(path).isOpenedAtOnce else {
        throw CommandFailure(
          .misuse, "cannot read the list of allowances: \(path)\nIt is not a regular file.",
          hint: "Name a file of UTF-8 text that you may read.")
      }
      let text: String
      do {
        text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      } catch {
        let why = Failure.reason(error, at: path)
        throw CommandFailure(
          .misuse, "cannot read the list of allowances: \(path)\n\(why)",
          hint: "Name a file of UTF-8 text that you may read.")
      }
      return try text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .compactMap { number, line in
          // A reason may have a # in it, as the number of an issue has.
          guard let start = line.first(where: { !$0.isWhitespace }), start != "#" else {
            return nil
          }
          var allowance = try allowance(String(line)) { expected in
            CommandFailure(.misuse, "a line takes \(expected)", at: "\(path):\(number + 1)")
          }
          allowance.file = path
          allowance.line = number + 1
          return allowance
        }
    }
  }
}
