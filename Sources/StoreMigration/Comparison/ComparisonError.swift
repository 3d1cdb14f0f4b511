internal import CoreDataStore

/// What was asked of a comparison cannot be answered: a name that neither store has.
package struct ComparisonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was being done.
  package let what = "cannot pair the stores"
  /// The name, and what it is of.
  package let subject: String
  /// The reason, one sentence or more.
  package let why: String
  /// What the reader of the message can do now.
  package let remedy: String

  /// The message as a person reads it.
  package var description: String { "\(what): \(subject)\n\(why)\n\(remedy)" }

  /// A name that is not known; the nearest one is told.
  init(
    _ subject: String, _ why: String, _ name: String, among names: some Sequence<String>,
    _ remedy: String
  ) {
    let nearest = NearestName.suggestion(for: name, among: names)
    self.subject = subject
    self.why = nearest.isEmpty ? why + "." : why + nearest
    self.remedy = remedy
  }
}
