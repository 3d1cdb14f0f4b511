internal import CoreDataStore
internal import Formats

/// What the rules find in a change of a model, and what of it the team allows.
package struct ModelLint: Sendable {
  /// One thing that a rule found.
  package struct Finding: Sendable {
    package let rule: LintRule
    package let subject: String
    package let words: String
    /// The line of the newer version that it is about; nil where a model has no lines.
    package let line: Int?
    /// Whether the rule is among those that fail.
    package let isFailing: Bool
    /// Why it is allowed; nil when it is not.
    package let reason: String?
  }

  /// A rule that is switched off, for everything or for one entity or property.
  package struct Allowance: Hashable, Sendable {
    package let rule: String
    /// The entity, or `Entity.property`; nil for all.
    package let subject: String?
    package let reason: String
    /// The file and the line that it stands in; nil for an option.
    package var file: String?
    package var line: Int?

    /// Reads `RULE = REASON` or `RULE:SUBJECT = REASON`; nil where one of them is missing.
    package init?(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1).map(\.trimmed)
      guard parts.count == 2, !parts[1].isEmpty else { return nil }
      let names = parts[0].split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false
      ).map(\.trimmed)
      guard names.allSatisfy({ !$0.isEmpty }), let rule = names.first else { return nil }
      self.rule = rule
      subject = names.dropFirst().first
      reason = parts[1]
    }
  }

  /// The rules that were asked, in the order of the list.
  package let rules: [LintRule]
  package let findings: [Finding]
  /// The allowances that allow nothing, which a team will want to take away.
  package let unused: [Allowance]
  package let path: String
  /// The line that each entity and property begins in.
  let lines: [String: Int]

  /// Asks the rules; those of `failing` decide on the status, those of `warning` only speak.
  ///
  /// Of several allowances of one finding the first gives the reason.
  package init(
    _ report: ModelDifferenceReport, failing: [LintRule], warning: [LintRule] = [],
    allowing allowances: [Allowance] = [], path: String, lines: [String: Int] = [:]
  ) {
    let asked = Set((failing + warning).map(\.name))
    let fails = Set(failing.map(\.name))
    let rules = LintRule.all.filter { asked.contains($0.name) }
    let found = rules.flatMap { rule in rule.find(report).map { (rule, $0) } }
    self.rules = rules
    (self.path, self.lines) = (path, lines)
    findings = found.map { rule, remark in
      let allowance = allowances.first { $0.allows(rule, remark.subject) }
      return Finding(
        rule: rule, subject: remark.subject, words: remark.words,
        line: Self.line(of: remark.subject, lines), isFailing: fails.contains(rule.name),
        reason: allowance?.reason)
    }
    unused = allowances.filter { allowance in
      !found.contains { allowance.allows($0.0, $0.1.subject) }
    }
  }

  /// What is gone has no line; then it is that of its entity, or of the model.
  private static func line(of subject: String, _ lines: [String: Int]) -> Int? {
    lines[subject] ?? lines[String(subject.prefix { $0 != "." })] ?? lines[""]
  }

  /// What fails: found by a rule of those that fail, and not allowed.
  package var failures: [Finding] { findings.filter { $0.isFailing && $0.reason == nil } }

  /// The whole answer in one sentence.
  package var verdict: String {
    guard !findings.isEmpty else {
      return "\(Plural.text(rules.count, "rule")) found nothing."
    }
    let counts = [
      (failures.count, "error"), (findings.count { !$0.isFailing && $0.reason == nil }, "warning"),
    ].map { Plural.text($0.0, $0.1) }
    return "\(counts.joined(separator: ", ")), \(findings.count { $0.reason != nil }) allowed."
  }
}

extension ModelLint.Allowance {
  fileprivate func allows(_ rule: LintRule, _ subject: String) -> Bool {
    self.rule == rule.name && (self.subject.map { $0 == subject } ?? true)
  }
}

extension ModelLint.Finding {
  /// How much it counts, in the words of SARIF: an error, a warning, or a note for what is allowed.
  package var level: String { reason != nil ? "note" : isFailing ? "error" : "warning" }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
