/// Something the mapping cannot answer by itself, and what settles it.
package struct MappingProblem: Sendable, Hashable, CustomStringConvertible {
  /// What kind of answer is missing.
  package enum Kind: String, Sendable, Hashable {
    /// The pipeline file says something that cannot be.
    case instruction
    /// Something would be lost that the pipeline does not give up; where a store has no such data,
    /// nothing is.
    case loss
    /// The pipeline file lists it as undecided.
    case undecided
    /// Core Data could not infer it.
    case notInferable = "not inferable"
    /// It is not supported.
    case unsupported
  }

  /// What kind of answer is missing.
  package var kind: Kind
  /// What it is about, "Link.legacyCode".
  package var subject: String
  /// The reason, a full sentence or more.
  package var why: String
  /// What to write into the pipeline file, when that can settle it.
  package var snippet: String?
  /// What may settle it, the likeliest first, when more is known than a snippet.
  package var answers: [String] = []
  /// The line of the pipeline file, when it says something wrong.
  package var line: Int?

  /// A problem in all its parts.
  package init(
    _ kind: Kind, _ subject: String, why: String, snippet: String? = nil, line: Int? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.why = why
    self.snippet = snippet
    self.line = line
  }

  /// The problem as a person reads it.
  package var description: String {
    guard kind != .undecided else { return undecidedText }
    guard answers.count < 2 else { return "\(subject): \(why)\n\(listed)" }
    return "\(subject): \(why)" + (snippet.map { "\nSay so in the pipeline file: \($0)" } ?? "")
  }

  /// Why something listed as undecided may have its answer.
  package static let saidAlready = "The file, or a script, may say already what happens to it."

  private var listed: String { "Answers:" + answers.map { "\n  \($0)" }.joined() }

  private var undecidedText: String {
    let remedy =
      answers.count > 1
      ? listed
      : (answers.first ?? snippet).map {
        "\($0.contains(", or ") ? "Answers" : "One answer"): \($0)"
      } ?? "Say what happens with a rule of 'copy', or in the script of its entity."
    let lines = why == Self.saidAlready && answers.isEmpty ? [] : [remedy]
    return
      (["\(subject) is undecided. \(why)"] + lines + [
        "When you have decided, take its name out of 'undecided'."
      ]).joined(separator: "\n")
  }
}
