import Testing

@testable import pipeline

extension CommandDescription: CustomTestStringConvertible {
  /// The words that call it, so that a test's output stays readable.
  public var testDescription: String { path.joined(separator: " ") }
}

extension Program: CustomTestStringConvertible {
  /// Its name.
  public var testDescription: String { name }
}
