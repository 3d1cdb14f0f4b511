import StorePipeline

/// How long to wait for another process, as a command line gives it: "30 s".
struct Wait: ArgumentValue {
  static let expectation = "a length of time, as '30 s' or '2 min'"

  /// The time.
  let duration: Duration

  init?(argument: String) {
    guard let duration = DurationText.read(argument) else { return nil }
    self.duration = duration
  }
}

extension Wait? {
  /// The time; ten seconds unless given.
  var duration: Duration { self?.duration ?? .seconds(10) }
}
