/// The command line is wrong; the message says how.
///
/// A command may throw it as well, for options that do not go together.
struct UsageError: Error, Equatable {
  /// What is wrong, in one line, without a full stop.
  let message: String

  /// A mistake, in one line.
  init(_ message: String) { self.message = message }
}
