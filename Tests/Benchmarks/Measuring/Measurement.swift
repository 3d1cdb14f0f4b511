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
  /// What a folder took on the disk in addition, at most, in bytes; nil when it was not watched.
  var extra: Int?
  /// The most memory that was its own and not that of a file, in bytes; 0 where the system does not
  /// say, nil when it was not watched.
  var own: Int?
  /// How long parts of it took, of a command that tells.
  var parts: [String: Double] = [:]

  /// Reads a line of `meter`; gives back the command's status, too.
  static func reading(_ line: String) -> (status: Int, Measurement)? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 5 || words.count == 7, let status = Int(words[0]),
      let seconds = Double(words[1]), let processor = Double(words[2])
    else { return nil }
    let bytes = words.dropFirst(3).compactMap { Int($0) }
    guard bytes.count == words.count - 3 else { return nil }
    var measurement = Measurement(
      seconds: seconds, processor: processor, peak: bytes[0], written: bytes[1])
    if bytes.count == 4 { (measurement.extra, measurement.own) = (bytes[2], bytes[3]) }
    return (status, measurement)
  }
}
