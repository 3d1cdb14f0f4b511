/// Finds the name that the user meant among those that exist.
///
/// Offered after every unknown name: of a version, an entity, a stage, an option.
package enum NearestName {
  /// The name closest to `word`, when one is close enough to have been meant.
  ///
  /// Capitals do not count. One slip is allowed in every three letters, and never more than three.
  /// A name that has the same letters and digits goes before all others: "Journal 3" is what
  /// "Journal3" means, though "Journal" is no further away.
  package static func of(_ word: String, among names: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased())
    let limit = slips(in: typed.count)
    var best: (name: String, distance: Int)?
    for name in names {
      let known = Array(name.lowercased())
      guard abs(known.count - typed.count) <= limit else { continue }
      if plain(known) == plain(typed) { return name }
      let distance = distance(typed, known)
      guard distance <= limit, distance < best?.distance ?? .max else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  /// The same among the versions of a model, of which Xcode gives the first no number: "Notes 1" is
  /// "Notes".
  package static func version(_ word: String, among names: [String]) -> String? {
    let first = word.hasSuffix(" 1") ? word.dropLast(2) : word.hasSuffix("1") ? word.dropLast() : ""
    return names.first { !first.isEmpty && $0.lowercased() == first.lowercased() }
      ?? of(word, among: names)
  }

  /// How many slips are allowed in a word of so many letters.
  package static func slips(in letters: Int) -> Int { min(3, max(1, letters / 3)) }

  private static func plain(_ letters: [Character]) -> [Character] {
    letters.filter { $0.isLetter || $0.isNumber }
  }

  /// What to put behind "unknown X": `; did you mean Y?`, or nothing.
  package static func suggestion(for word: String, among names: some Sequence<String>) -> String {
    of(word, among: names).map { "; did you mean \($0)?" } ?? ""
  }

  /// The same with the name between quotes, as in a file: `; did you mean 'Y'?`.
  package static func quoted(for word: String, among names: some Sequence<String>) -> String {
    of(word, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// How many slips lie between two words: letters added, left out, changed, or swapped.
  ///
  /// This is Levenshtein's distance with neighbours that changed places counted once.
  package static func distance<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Int {
    var above: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
      var below = [i + 1]
      for j in b.indices {
        let change = row[j] + (a[i] == b[j] ? 0 : 1)
        var least = min(change, row[j + 1] + 1, below[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, above[j - 1] + 1) }
        below.append(least)
      }
      (above, row) = (row, below)
    }
    return row[b.count]
  }
}
