/// How the program ends: the number a script sees, and what it promises about the store.
enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0
  case no = 1
  case misuse = 2
  case unusable = 3
  case refused = 4
  case busy = 5
  case defect = 70
  case interrupted = 130
  case unread = 141
  case terminated = 143

  /// What happened, as the manual page says it.
  var meaning: String {
    switch self {
    case .done: "Done, or there was nothing to do."
    case .no:
      """
      The answer is no: validation or verification failed, two stores differ, a model does not \
      fit a store, a rule of --fail-on found something, or more rows were rejected than allowed.
      """
    case .misuse: "The command line, the pipeline file or a script is wrong."
    case .unusable:
      """
      The store or model cannot be used: it is damaged, of an unknown version, not Core Data's, \
      or needs something that is not supported.
      """
    case .refused: "The machine refused: the disk is full, a read or write failed, no permission."
    case .busy:
      "Busy or changed: another process has the store, or it changed meanwhile. Try again."
    case .defect:
      """
      A mistake in pipeline itself: it met a state that its own code rules out. Please report \
      it.
      """
    case .interrupted: "Interrupted from the keyboard (SIGINT). A run can be resumed."
    case .unread:
      "The reader of the results went away (SIGPIPE). A run that replaces a store only warns."
    case .terminated: "Terminated (SIGTERM). A run can be resumed."
    }
  }

  /// What is true of the user's store afterwards, as the manual page says it.
  var store: String {
    switch self {
    case .done: "The store is migrated, or as it was."
    case .defect: "The message says what state the store is in."
    default: "The store is untouched."
    }
  }
}
