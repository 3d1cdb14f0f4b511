internal import CoreDataStore

/// A name without what says nothing: capitals, signs between words.
final class PlainName {
  private let letters: [Character]
  private let text: String
  let outline: Outline

  init(_ name: String) {
    letters = name.lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
    text = String(letters)
    outline = Outline(letters)
  }

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

    func mayBeNear(_ other: Outline) -> Bool {
      count < other.count ? other.mayHold(self) : mayHold(other)
    }

    private func mayHold(_ short: Outline) -> Bool {
      areFewApart(short) || (short.once & ~once) | (short.twice & ~twice) == 0
    }

    /// Letters that the longer one alone has stand between the two at least.
    func areFewApart(_ other: Outline) -> Bool {
      guard count >= other.count else { return other.areFewApart(self) }
      let few = count / 3
      guard count - other.count <= few else { return false }
      let apart =
        (once & ~other.once).nonzeroBitCount + (twice & ~other.twice).nonzeroBitCount
        + (thrice & ~other.thrice).nonzeroBitCount
      return apart <= few
    }
  }
}
