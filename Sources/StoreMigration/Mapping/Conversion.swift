package import CoreDataStore

/// A change of type that has a clear rule; every other one is a script's work.
package struct Conversion: Sendable, Hashable {
  package let source: AttributeType
  package let target: AttributeType
  /// Whether some values of the source have no counterpart; the object is then an error.
  package let canFail: Bool
  /// Whether different values of the source may become the same.
  package let losesPrecision: Bool
  /// What is done, in words.
  package let rule: String

  /// Whether nothing is done: the number stands in the new column as it stood in the old one, and
  /// that some values are not read as they were is what precision is lost.
  package let isCarried: Bool

  /// Whether it can happen without being asked for by name.
  package var isHarmless: Bool { !canFail && !losesPrecision }

  /// The conversion from one type to another, nil when there is none.
  package init?(from source: AttributeType, to target: AttributeType) {
    guard source != target, let found = Self.find(source, target) else { return nil }
    self.source = source
    self.target = target
    canFail = found.fails
    losesPrecision = found.loses
    rule = found.rule
    isCarried = false
  }

  /// What Core Data does where it infers that one type becomes another: nothing; nil where the
  /// types are equal, or it refuses.
  package init?(carrying source: AttributeType, as target: AttributeType) {
    guard source != target, InferenceRules.isCarried(source, to: target) else { return nil }
    self.source = source
    self.target = target
    canFail = false
    losesPrecision = Self.losesByCarrying(source, target)
    rule = "the number as it stands"
    isCarried = true
  }

  private static func losesByCarrying(_ source: AttributeType, _ target: AttributeType) -> Bool {
    guard let old = NumberForm(source) else { return false }
    guard let new = NumberForm(target) else { return true }
    let found = numbers(old, new)
    return found.fails || found.loses
  }

  private typealias Found = (rule: String, fails: Bool, loses: Bool)

  private static func find(_ source: AttributeType, _ target: AttributeType) -> Found? {
    switch (NumberForm(source), NumberForm(target)) {
    case (let old?, let new?): numbers(old, new)
    case (let old?, nil): fromNumber(old, source, target)
    case (nil, let new?): toNumber(source, new)
    case (nil, nil): texts(source, target)
    }
  }

  private static func numbers(_ old: NumberForm, _ new: NumberForm) -> Found {
    switch (old, new) {
    case (.whole(let before), .whole(let after)):
      after > before
        ? ("the same number", false, false)
        : ("the same number; one that needs more than \(after) bits is an error", true, false)
    case (.whole(let bits), .real(let digits)):
      // A double has 53 binary digits, a float 24: larger numbers are rounded.
      ("the nearest number", false, bits > digits)
    case (.whole, .decimal): ("the same number", false, false)
    case (_, .whole):
      ("the same number; one that is not whole or too large is an error", true, false)
    case (.real(let before), .real(let after)):
      after > before
        ? ("the same number", false, false)
        : ("the nearest number; one that is too large is an error", true, true)
    case (.real, .decimal):
      (
        "the shortest decimal number that means it; one that no Decimal holds is an error",
        true, false
      )
    case (.decimal, .real(let digits)):
      // A double holds the largest Decimal, a float does not.
      digits < 53
        ? ("the nearest number; one that is too large is an error", true, true)
        : ("the nearest number", false, true)
    case (.decimal, .decimal): ("the same number", false, false)
    }
  }

  private static func fromNumber(
    _ old: NumberForm, _ source: AttributeType, _ target: AttributeType
  ) -> Found? {
    switch target {
    case .string: ("the number's shortest text that means it, with a point", false, false)
    case .boolean where source.isInteger:
      ("0 is false, 1 is true; any other number is an error", true, false)
    case .date:
      switch old {
      case .whole(let bits): ("seconds since the first instant of 2001, UTC", false, bits > 53)
      case .real: ("seconds since the first instant of 2001, UTC", false, false)
      case .decimal: ("seconds since the first instant of 2001, UTC", false, true)
      }
    default: nil
    }
  }

  private static func toNumber(_ source: AttributeType, _ new: NumberForm) -> Found? {
    switch source {
    case .string:
      if case .decimal = new {
        (
          "the number that the whole text is; one with more digits than its column holds is "
            + "rounded and counted; any other text, or one that no Decimal holds, is an error",
          true, false
        )
      } else {
        ("the number that the whole text is; any other text is an error", true, false)
      }
    case .boolean:
      if case .whole = new { ("false is 0, true is 1", false, false) } else { nil }
    case .date:
      switch new {
      case .whole:
        (
          "whole seconds since the first instant of 2001, UTC, rounded down; too many are an error",
          true, true
        )
      case .real(let digits):
        digits < 53
          ? (
            "the nearest number of seconds since the first instant of 2001, UTC: dates of today "
              + "move by up to 32 seconds; one that is too large is an error", true, true
          )
          : ("seconds since the first instant of 2001, UTC", false, false)
      case .decimal:
        (
          "seconds since the first instant of 2001, UTC; what no Decimal holds is an error",
          true, false
        )
      }
    default: nil
    }
  }

  private static func texts(_ source: AttributeType, _ target: AttributeType) -> Found? {
    switch (source, target) {
    case (.boolean, .string): ("\"true\" or \"false\"", false, false)
    case (.uuid, .string): ("the 36 characters, in capitals", false, false)
    case (.uri, .string): ("the address", false, false)
    case (.date, .string):
      // The calendar is Gregorian from its beginning: Foundation's distantPast is in the year 0.
      (
        "ISO 8601 in UTC, to the millisecond; a date before the year 1, as Date.distantPast is, "
          + "or after 9999 is an error", true, true
      )
    case (.string, .uuid): ("the UUID that the whole text is; any other is an error", true, false)
    case (.string, .uri): ("the address that the whole text is; any other is an error", true, false)
    default: nil
    }
  }
}

/// How a type holds numbers.
private enum NumberForm {
  /// Whole numbers of so many bits.
  case whole(Int)
  /// Binary fractions of so many digits.
  case real(Int)
  case decimal

  init?(_ type: AttributeType) {
    switch type.facts.form {
    case .whole(let bits): self = .whole(bits)
    case .real(let bits): self = .real(bits)
    case .decimal: self = .decimal
    case .boolean, .date, .text, .uuid, .bytes, .none: return nil
    }
  }
}
