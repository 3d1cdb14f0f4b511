/// Why a condition cannot be used: what was tried, on what, why it failed, what to do now.
///
/// Conditions come from pipeline files, so the text that is quoted is the file's, never a store's.
package struct ConditionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was being done, "cannot use the condition".
  package var what: String
  /// The entity and the text.
  package var subject: String
  /// The reason, one sentence or more.
  package var why: String
  /// What the reader of the message can do now.
  package var remedy: String

  /// The line of the pipeline file, where it is known.
  package var line: Int?

  /// An error with its four parts.
  package init(what: String, subject: String, why: String, remedy: String) {
    self.what = what
    self.subject = subject
    self.why = why
    self.remedy = remedy
  }

  /// The message as a person reads it.
  package var description: String { "\(what): \(subject)\n\(why)\n\(remedy)" }
}

/// What is wrong with one part of a condition.
struct ConditionFault: Error {
  let why: String
  let remedy: String

  init(_ why: String, _ remedy: String = "Write it another way, or let a script decide.") {
    self.why = why
    self.remedy = remedy
  }
}
