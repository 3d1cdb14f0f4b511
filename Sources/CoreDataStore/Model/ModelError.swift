/// Why a model cannot be used: what was tried, on what, why it failed, what to do now.
///
/// It belongs to the category "the store or model cannot be used", unless the machine refused.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was being done, "cannot read the model".
  public var what: String
  /// The file, and the place in it where one is known.
  public var subject: String
  /// The reason, one sentence or more.
  public var why: String
  /// What the reader of the message can do now.
  public var remedy: String
  /// Whether the machine refused to read: no permission, or the disk failed.
  public var isRefusal = false

  /// An error with all four parts.
  public init(what: String, subject: String, why: String, remedy: String) {
    self.what = what
    self.subject = subject
    self.why = why
    self.remedy = remedy
  }

  /// An error met while a model was being read.
  package init(reading subject: String, why: String, remedy: String = ModelError.checkFile) {
    self.init(what: "cannot read the model", subject: subject, why: why, remedy: remedy)
  }

  /// The machine's refusal to read a file or folder.
  package static func refused(reading subject: String, why: String) -> ModelError {
    var error = ModelError(
      reading: subject, why: why, remedy: "Check the disk and the permissions, and try again.")
    error.isRefusal = true
    return error
  }

  /// The remedy when the file itself is wrong and nothing more exact is known.
  package static let checkFile = "Check the file, or take another copy of it."

  /// The remedy when the model's definition is wrong.
  package static let fixModel = "Open the model in Xcode, correct it and save it again."

  /// The message as a person reads it.
  public var description: String { "\(what): \(subject)\n\(why)\n\(remedy)" }

  /// The same error, told of a file that the place belongs to.
  package func inside(_ file: String) -> ModelError {
    var error = self
    error.subject = subject.isEmpty ? file : "\(file): \(subject)"
    return error
  }
}
