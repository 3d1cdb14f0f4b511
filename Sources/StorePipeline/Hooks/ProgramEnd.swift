/// How a program has ended.
enum ProgramEnd: Hashable {
  /// By itself, with a status.
  case status(Int32)
  /// By a signal.
  case signal(Int32)
}
