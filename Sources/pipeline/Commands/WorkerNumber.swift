/// A number of threads for the functions of one script.
struct WorkerNumber: ArgumentValue, Equatable {
  static let expectation = "a whole number from 1 to 64"

  /// The number.
  let count: Int

  init?(argument: String) {
    guard let count = Int(argument), (1...64).contains(count) else { return nil }
    self.count = count
  }
}
