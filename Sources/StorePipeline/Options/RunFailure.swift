/// Why a run could not be done: what was tried, on what, why it failed, what to do now.
///
/// What is wrong with a store is told by `StoreError`, what is wrong with a model by `ModelError`
/// and what is wrong with a pipeline file by ``PipelineFileError``; this is for the rest.
public struct RunFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; each kind ends a program with a status of its own.
  public enum Kind: Int32, Sendable, Hashable {
    /// The answer is no: more objects were rejected than may be.
    case refused = 1
    /// What was asked for cannot be, as the pipeline or the options are.
    case misuse = 2
  }

  /// What kind of failure it is.
  public var kind: Kind
  /// What was being done, "cannot resume the run".
  public var what: String
  /// The file, stage or object.
  public var subject: String
  /// The reason, one sentence or more.
  public var why: String
  /// What the reader of the message can do now.
  public var remedy: String

  /// A failure with all its parts.
  public init(_ kind: Kind, what: String, subject: String, why: String, remedy: String) {
    self.kind = kind
    self.what = what
    self.subject = subject
    self.why = why
    self.remedy = remedy
  }

  /// The message as a person reads it.
  public var description: String { "\(what): \(subject)\n\(why)\n\(remedy)" }
}
