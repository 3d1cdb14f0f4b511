/// What one command took.
struct Measurement: Equatable {
  /// From its start to its end.
  var seconds: Double
  /// Of all processors together.
  var processor: Double
  /// The most memory it held, in bytes; of several processes the largest.
  var peak: Int
  /// What went to files, in bytes; 0 where the system does not say.
  var written: Int
  /// How long parts of it took, of a command that tells.
  var parts: [String: Double] = [:]

  /// Reads a line of `meter`; gives back the command's status, too.
  static func reading(_ line: String) -> (status: Int, Measurement)? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 5, let status = Int(words[0]), let seconds = Double(words[1]),
      let processor = Double(words[2]), let peak = Int(words[3]), let written = Int(words[4])
    else { return nil }
    return (
      status,
      Measurement(seconds: seconds, processor: processor, peak: peak, written: written)
    )
  }
}
