internal import CoreDataStore
internal import StoreReplacement

/// Which backups stay: so many, or those of so many days.
public enum BackupKeep: Sendable, Hashable {
  /// The newest so many.
  case count(Int)
  /// Those of the last so many days.
  case days(Int)

  /// The choice that a text makes: "3", "14 days"; nil when it makes none.
  public init?(_ text: String) {
    if let count = Int(text), count >= 0 {
      self = .count(count)
    } else if let time = DurationText.read(text), time >= .zero {
      self = .days(Self.days(time))
    } else {
      return nil
    }
  }

  /// A length of time in whole days, one at least.
  static func days(_ time: Duration) -> Int { max(1, Int((time.seconds / 86_400).rounded(.up))) }

  /// The same for the swap.
  var choice: BackupsKept {
    switch self {
    case .count(let count): .count(count)
    case .days(let days): .days(days)
    }
  }
}
