/// A type an option's value can be read as.
protocol ArgumentValue: Sendable, SendableMetatype {
  /// What is expected, as in "takes a whole number".
  static var expectation: String { get }

  /// The value a text stands for, if it stands for one.
  init?(argument: String)
}

extension String: ArgumentValue {
  static var expectation: String { "a text" }

  init?(argument: String) { self = argument }
}

extension Int: ArgumentValue {
  static var expectation: String { "a whole number" }

  init?(argument: String) { self.init(argument) }
}

/// A type whose values are a few names to choose from.
protocol ArgumentChoice: ArgumentValue, CaseIterable, RawRepresentable where RawValue == String {}

extension ArgumentChoice {
  static var names: [String] { allCases.map(\.rawValue) }

  static var expectation: String {
    names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  init?(argument: String) { self.init(rawValue: argument) }
}
