/// Finds the version that was probably meant.
enum NearestVersion {
  /// The candidate that differs least from a name; nil when none is near.
  static func to(_ name: String, among candidates: [String]) -> String? {
    let scored = candidates.map { ($0, distance(name.lowercased(), $0.lowercased())) }
    guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= max(2, name.count / 3) else {
      return nil
    }
    return best.0
  }

  /// Edits between two texts: letters put in, taken out or replaced (Levenshtein).
  private static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second.prefix(200))
    var row = Array(0...second.count)
    for (line, letter) in first.prefix(200).enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in second.enumerated() {
        let above = row[column + 1]
        let change = diagonal + (letter == other ? 0 : 1)
        row[column + 1] = min(change, min(above, row[column]) + 1)
        diagonal = above
      }
    }
    return row[second.count]
  }
}
