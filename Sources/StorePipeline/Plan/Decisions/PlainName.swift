internal import CoreDataStore

/// A name without what says nothing: capitals, signs between words.
final class PlainName {
  private let letters: [Character]
  private let text: String
  let words: [[Character]]
  let outline: Outline

  init(_ name: String) {
    letters = name.lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
    text = String(letters)
    words = Self.words(of: Array(name))
    outline = Outline(letters)
  }

  /// The parts of a name such as "unitPrice", "unit_price" or "URLText".
  private static func words(of name: [Character]) -> [[Character]] {
    var words: [[Character]] = [[]]
    for (place, letter) in name.enumerated() {
      let isInside = place > 0 && place + 1 < name.count
      let begins =
        letter.isUppercase && place > 0
        && (!name[place - 1].isUppercase || isInside && name[place + 1].isLowercase)
      if begins || !(letter.isLetter || letter.isNumber) { words.append([]) }
      if letter.isLetter || letter.isNumber {
        words[words.count - 1] += letter.lowercased().map(\.self)
      }
    }
    return words.filter { !$0.isEmpty }
  }

  /// How many letters the words have in common that are in both names, in any order; "lat" is
  /// taken for "latitude".
  func common(with other: PlainName) -> Int {
    var left = other.words
    var letters = 0
    for word in words {
      let alike = left.indices.filter { word.starts(with: left[$0]) || left[$0].starts(with: word) }
      let sizes = alike.map { (place: $0, size: min(word.count, left[$0].count)) }
      guard let best = sizes.max(by: { $0.size < $1.size }) else { continue }
      letters += best.size
      left.remove(at: best.place)
    }
    return letters
  }

  /// Whether all of its words are in another name, such as those of "cityName" in
  /// "address_city_name".
  func isMade(of other: PlainName) -> Bool { common(with: other) == letters.count }

  /// Whether both mean the same, perhaps: one is in the other, or a few letters apart.
  func isNear(_ other: PlainName) -> Bool {
    guard outline.mayBeNear(other.outline) else { return false }
    let isShort = letters.count < other.letters.count
    let (short, long) = isShort ? (self, other) : (other, self)
    let few = long.letters.count / 3
    if outline.areFewApart(other.outline), NearestName.distance(letters, other.letters) <= few {
      return true
    }
    return short.text == long.text || short.letters.count >= 3 && long.text.contains(short.text)
  }

  /// What rules out for most pairs of names, at once, that they are near each other.
  struct Outline {
    private let count: Int
    /// A bit for each letter that is in the name, for each that is in it twice, and three times;
    /// several letters may have the same bit.
    private var (once, twice, thrice): (UInt64, UInt64, UInt64) = (0, 0, 0)

    init(_ letters: [Character]) {
      count = letters.count
      for letter in letters {
        let bit = Self.bit(of: letter)
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
      }
    }

    private static func bit(of letter: Character) -> UInt64 {
      switch letter.asciiValue {
      case let digit? where digit < 58: 1 << UInt64(digit - 48)
      case let letter?: 1 << UInt64(letter - 97 + 10)
      case nil: 1 << UInt64(36 + UInt(bitPattern: letter.hashValue) % 28)
      }
    }

    /// Whether one of the names may be in the other, or be so many slips apart from it: a third of
    /// the longer one's letters unless another number is given.
    func mayBeNear(_ other: Outline, slips: Int? = nil) -> Bool {
      let (short, long) = count < other.count ? (self, other) : (other, self)
      return long.areFewApart(short, slips: slips)
        || (short.once & ~long.once) | (short.twice & ~long.twice) == 0
    }

    /// Letters that the longer one alone has stand between the two at least.
    func areFewApart(_ other: Outline, slips: Int? = nil) -> Bool {
      guard count >= other.count else { return other.areFewApart(self, slips: slips) }
      let few = slips ?? count / 3
      guard count - other.count <= few else { return false }
      let apart =
        (once & ~other.once).nonzeroBitCount + (twice & ~other.twice).nonzeroBitCount
        + (thrice & ~other.thrice).nonzeroBitCount
      return apart <= few
    }
  }
}
