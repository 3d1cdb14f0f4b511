/// Numbers and words that look drawn by lot and are the same each time.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  /// A series of its own for each seed.
  init(seed: UInt64 = 0) { state = 88_172_645_463_325_252 &+ seed &* 0x9E37_79B9_7F4A_7C15 }

  /// The next 64 bits, by Marsaglia's xorshift.
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// A number from 0 to below the limit.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// A number from 0 to below 1.
  mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  /// A moment of the last decades, in seconds since 2001.
  mutating func moment() -> Double { 300_000_000 + fraction() * 400_000_000 }

  /// So many words with blanks between.
  mutating func words(_ count: Int) -> String {
    var text = Self.words[below(Self.words.count)]
    for _ in 1..<max(count, 1) {
      text += " "
      text += Self.words[below(Self.words.count)]
    }
    return text
  }

  /// A person's first and last name, some of several words.
  mutating func name() -> String {
    Self.first[below(Self.first.count)] + " " + Self.last[below(Self.last.count)]
  }

  /// A sentence as people type it: small at its start, with blanks around it.
  mutating func note() -> String {
    String(repeating: " ", count: below(3)) + words(4 + below(10))
      + String(repeating: " ", count: below(3))
  }

  private static let first = [
    "Anna", "Boris", "Chloé", "David", "Elena", "Farid", "Grace", "Hiro", "Ingrid", "João", "Karl",
    "Lúcia", "Mehmet", "Nadia", "Olga", "Pablo", "Quentin", "Rosa", "Søren", "Tom", "Ursula",
    "Viktor", "Wanda", "Xin", "Yara", "Zoë",
  ]

  private static let last = [
    "Abel", "Brown", "Chávez", "Dubois", "Eriksen", "Fischer", "García", "Hughes", "Ivanova",
    "Jensen", "Kowalski", "López", "Müller", "Novak", "O'Brien", "Petrov", "Quinn", "Rossi",
    "Schmidt", "Tanaka", "Usman", "van der Berg", "Weber", "Xu", "Yılmaz", "Zhang",
  ]

  private static let words = [
    "box", "fragile", "kitchen", "old", "blue", "heavy", "café", "receipt", "kept", "bought",
    "from", "the", "shop", "near", "station", "with", "small", "scratch", "on", "left", "side",
    "check", "again", "before", "moving", "summer", "lamp", "table", "books", "winter", "coats",
    "misc",
  ]
}
