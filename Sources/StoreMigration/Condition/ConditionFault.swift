/// What is wrong with one part of a condition.
///
/// Conditions come from pipeline files, so the text that is quoted is the file's, never a store's.
struct ConditionFault: Error {
  let why: String
  let remedy: String

  init(_ why: String, _ remedy: String = "Write it another way, or let a script decide.") {
    self.why = why
    self.remedy = remedy
  }
}
