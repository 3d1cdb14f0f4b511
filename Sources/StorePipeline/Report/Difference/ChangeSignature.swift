internal import CoreDataStore
internal import StoreMigration

/// What happened to an object, in words that distinguish it from other changes.
struct ChangeSignature: Hashable {
  /// With values, where these are short: "priority: "high" → 2".
  var exact: [String] = []
  /// Without: "priority changed".
  var general: [String] = []

  /// The words for an object whose values are shown as `values`; `given` says more of properties
  /// that the second store's model has not.
  init(
    _ object: ChangedObject, _ values: [ReportedChange], display: ValueDisplay,
    given: [String: String] = [:]
  ) {
    guard object.change == .changed else {
      let origin = object.change == .added ? object.source.map { ", made from \($0.entity)" } : nil
      add(object.change.rawValue + (origin ?? ""))
      return
    }
    for (change, shown) in zip(object.values, values) {
      add(change, shown, display, given)
    }
    for link in object.links { add("\(link.relationship) \(Self.words(link, given))") }
  }

  /// Whether two objects have the same words, as far as that shows without making these.
  static func areSame(
    _ one: ChangedObject, _ ones: [ReportedChange], _ other: ChangedObject,
    _ others: [ReportedChange]
  ) -> Bool {
    guard one.change == .changed, other.change == .changed, one.links.isEmpty,
      other.links.isEmpty, ones.count == others.count
    else { return false }
    return zip(ones, others).allSatisfy { one, other in
      guard one.change == other.change, one.attribute == other.attribute else { return false }
      return switch one.change {
      case .emptied, .removed: true
      case .appeared: one.new == other.new
      case .changed: false
      }
    }
  }

  private mutating func add(_ words: String) {
    exact.append(words)
    general.append(words)
  }

  private mutating func add(
    _ change: ChangedValue, _ shown: ReportedChange, _ display: ValueDisplay,
    _ given: [String: String]
  ) {
    let name = change.attribute
    switch change.change {
    case .emptied: add("\(name) emptied")
    case .removed: add("\(name) \(given[name] ?? "removed with the attribute")")
    case .appeared:
      general.append("\(name) filled in")
      let isShort = display.isReadable && Self.isShort(shown.new)
      exact.append(isShort ? "\(name) set to \(shown.new.words)" : "\(name) filled in")
    case .changed:
      if let rule = ChangeRule.words(change.old, change.new) { return add("\(name) \(rule)") }
      general.append("\(name) changed")
      let isShort = display.isReadable && Self.isShort(shown.old) && Self.isShort(shown.new)
      exact.append(
        isShort ? "\(name): \(shown.old.words) → \(shown.new.words)" : "\(name) changed")
    }
  }

  private static func isShort(_ value: ReportedValue) -> Bool {
    switch value {
    case .text(let text): text.count <= 24
    case .data, .lost, .unexpected: false
    default: true
    }
  }

  private static func words(_ link: ChangedLink, _ given: [String: String]) -> String {
    if link.isRemoved { return given[link.relationship] ?? "removed with the relationship" }
    return switch (link.lostCount > 0, link.gainedCount > 0) {
    case (true, true): "leads elsewhere"
    case (true, false): "lost links"
    case (false, true): "gained links"
    case (false, false): "in another order"
    }
  }
}
