/// The command line is wrong; the message says how.
///
/// A command may throw it as well, for options that do not go together.
struct UsageError: Error, Equatable {
  /// What is wrong, in one line, without a full stop.
  let message: String
  /// The words after the command as they should be, to paste.
  let correction: String?

  /// A mistake, in one line.
  init(_ message: String, correction: String? = nil) {
    self.message = message
    self.correction = correction
  }
}
