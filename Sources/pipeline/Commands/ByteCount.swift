import CoreDataStore
import StorePipeline

/// A number of bytes, as a command line gives it: "1 GB".
struct ByteCount: ArgumentValue, Equatable {
  static let expectation = "a number and a unit, as '1 GB' or '512 MiB'"

  /// The bytes.
  let bytes: Int

  init?(argument: String) {
    guard let bytes = SizeText.read(argument) else { return nil }
    self.bytes = Int(clamping: bytes)
  }
}

extension GlobalOptions {
  /// Sets how long a value may be that is taken into memory.
  func limitValues() {
    StoreLimits.longestValue = longestValue?.bytes ?? StoreLimits.usualLongestValue
  }
}
