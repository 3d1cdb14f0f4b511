internal import Formats

/// Why something could not be done: what was tried, on what, why it failed, what to do now.
///
/// Every layer of the library throws this one value, so that a program needs one place to catch it.
/// A pipeline file with mistakes in it throws a list of them, and a script an error with its line.
///
/// It never holds values of the store's objects: those are the user's data.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; each kind ends a program with a status of its own.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The answer to what was asked is no: more objects were rejected than may be.
    case no
    /// What was asked for cannot be, as the options, the pipeline or a condition are.
    case misuse
    /// The file is sound and no Core Data store.
    case notCoreData
    /// The store is damaged, of an unknown version, or needs something that is not supported.
    case unusable
    /// The model is damaged, contradicts itself, or needs something that is not supported.
    case unusableModel
    /// The machine refused: disk full, input or output failed, no permission.
    case refused
    /// Another process has the store, or it changed meanwhile.
    case busy
    /// The library met a state that its own code rules out. A library must not end its host.
    case defect

    /// The exit status of a program that ends because of it: the one table of them.
    public var status: Int32 {
      switch self {
      case .no: 1
      case .misuse: 2
      case .notCoreData, .unusable, .unusableModel: 3
      case .refused: 4
      case .busy: 5
      // EX_SOFTWARE of <sysexits.h>: "An internal software error has been detected."
      case .defect: 70
      }
    }

    /// Whether the store, or the machine that keeps it, is the reason.
    package var isOfStore: Bool {
      switch self {
      case .notCoreData, .unusable, .refused, .busy: true
      case .no, .misuse, .unusableModel, .defect: false
      }
    }
  }

  /// What kind of failure it is.
  public var kind: Kind
  /// What was being done, "cannot read the metadata".
  public var what: String
  /// The file, and entity, object or attribute where one is known.
  public var subject: String
  /// The reason, one sentence or more.
  public var why: String
  /// What the reader of the message can do now.
  public var remedy: String
  /// The line of the pipeline file that asked for it, where it is known.
  package var line: Int?
  /// Whether a value of the store has no file: no script or pipeline is to blame.
  package var isOfMissingValue = false

  /// A failure with all its parts.
  public init(_ kind: Kind, what: String, subject: String, why: String, remedy: String) {
    self.kind = kind
    self.what = what
    self.subject = subject
    self.why = why
    self.remedy = remedy
  }

  /// The message as a person reads it: what was done and to what, why it failed, and what to do now
  /// begin a line each, whatever characters a path has.
  public var description: String { "\(what): \(subjectLine)\n\(why)\n\(remedy)" }

  /// The message in one paragraph, for a warning or the inside of another message.
  package var sentence: String { "\(what): \(subjectLine). \(why) \(remedy)" }

  private var subjectLine: String {
    subject.spelling { $0.isUnseen ? $0.escaped(asASCII: true) : nil }
  }

  /// A state that the library's own code rules out; `store` says what state the store is in.
  package static func defect(
    _ why: String, what: String, subject: String,
    store: String = "The store is as it was."
  ) -> Failure {
    Failure(
      .defect, what: what, subject: subject, why: "A mistake in pipeline itself: \(why).",
      remedy: "\(store) Please report this message; it holds no data of the store.")
  }
}

// What is wrong with a model.
extension Failure {
  /// A model that cannot be read.
  package init(
    readingModel subject: String, why: String, remedy: String = Failure.checkFile
  ) {
    self.init(
      .unusableModel, what: "cannot read the model", subject: subject, why: why, remedy: remedy)
  }

  /// The machine's refusal to read a model's file or folder.
  package static func refused(readingModel subject: String, why: String) -> Failure {
    Failure(
      .refused, what: "cannot read the model", subject: subject, why: why,
      remedy: "Check the disk and the permissions, and try again.")
  }

  /// The remedy when the file itself is wrong and nothing more exact is known.
  package static let checkFile = "Check the file, or take another copy of it."

  /// The remedy when the model's definition is wrong.
  package static let fixModel = "Open the model in Xcode, correct it and save it again."

  /// The same failure, with the file that the place belongs to.
  package func inside(_ file: String) -> Failure {
    var failure = self
    failure.subject = subject.isEmpty ? file : "\(file): \(subject)"
    return failure
  }
}
