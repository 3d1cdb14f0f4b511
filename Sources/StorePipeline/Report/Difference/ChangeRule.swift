internal import CoreDataStore
internal import Foundation
internal import StoreMigration

/// What was done to a value, in words that many values have in common.
enum ChangeRule {
  /// "trimmed", "in upper case"; nil when nothing of the kind explains the new value.
  static func words(_ old: ComparedValue, _ new: ComparedValue) -> String? {
    switch (old, new) {
    case (.value(let old), .value(let new)): words(old, new)
    case (.data, .data): "replaced by other data"
    case (_, .lost): "lost its file"
    case (.lost, _): "found its file again"
    case (.data, .value): "no longer data"
    case (.value, .data): "now data"
    default: nil
    }
  }

  private static func words(_ old: AttributeValue, _ new: AttributeValue) -> String? {
    if let before = text(old), let after = text(new) {
      return isText(old) == isText(new)
        ? words(before, after) : before == after ? "kept its digits, as another type" : nil
    }
    return nil
  }

  private static func isText(_ value: AttributeValue) -> Bool {
    switch value {
    case .string, .uri: true
    default: false
    }
  }

  /// Texts, and what a text can be turned into without loss.
  private static func text(_ value: AttributeValue) -> String? {
    switch value {
    case .string(let text), .uri(let text): text
    case .integer(let number): "\(number)"
    case .decimal(let digits): digits
    case .boolean(let truth): truth ? "1" : "0"
    case .uuid(let uuid): uuid.uuidString
    default: nil
    }
  }

  private static func words(_ old: String, _ new: String) -> String? {
    guard !old.utf8.elementsEqual(new.utf8) else { return "kept its text, as another type" }
    if old == new { return "normalised (the same characters, made up otherwise)" }
    if new == trimmed(old) { return "trimmed" }
    if new.isEmpty { return "made an empty text" }
    if new == old.lowercased() { return "in lower case" }
    if new == old.uppercased() { return "in upper case" }
    if squeezed(old) == squeezed(new) { return "with other white space" }
    if old.lowercased() == new.lowercased() { return "with other capitals" }
    if old.hasPrefix(new) { return "cut short" }
    return nil
  }

  private static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func squeezed(_ text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace)
  }
}
