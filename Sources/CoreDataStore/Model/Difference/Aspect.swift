/// One thing about an entity or a property that is not the same in two versions.
public struct Aspect: Hashable, Sendable, CustomStringConvertible {
  /// What it is, "type" or "delete rule".
  public var name: String
  /// How it was, in words.
  public var from: String
  /// How it is, in words.
  public var to: String

  /// A difference in all its parts.
  public init(name: String, from: String, to: String) {
    self.name = name
    self.from = from
    self.to = to
  }

  /// The difference of two values, nil when they are equal.
  init?<Value: Equatable>(
    _ name: String, _ from: Value, _ to: Value, words: (Value) -> String
  ) {
    guard from != to else { return nil }
    self.init(name: name, from: words(from), to: words(to))
  }

  /// The difference of two boxes, ticked or not.
  init?(_ name: String, _ from: Bool, _ to: Bool, yes: String = "yes", no: String = "no") {
    self.init(name, from, to) { $0 ? yes : no }
  }

  /// The difference of two texts that may be missing.
  init?(_ name: String, _ from: String?, _ to: String?) {
    self.init(name, from, to) { $0.map { "\"\($0)\"" } ?? "none" }
  }

  /// The difference in one phrase, "type: String, now Date".
  public var description: String { "\(name): \(from), now \(to)" }
}
