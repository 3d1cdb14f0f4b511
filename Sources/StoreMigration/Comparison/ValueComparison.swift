internal import CoreDataStore
internal import SQLite

/// Compares the values of attributes, by type and bits.
struct ValueComparison {
  private let old: ExternalContents
  private let new: ExternalContents

  init(_ old: ExternalContents, _ new: ExternalContents) { (self.old, self.new) = (old, new) }

  /// What is different in one attribute of an object that both stores have; nil when nothing is.
  func difference(
    _ pair: AttributePair, _ first: borrowing Row, _ oldColumn: Int?, _ second: borrowing Row,
    _ newColumn: Int?
  ) throws -> ChangedValue? {
    if let oldColumn, let newColumn, pair.isStoredAlike,
      try first.holdsSame(oldColumn, as: second, newColumn)
    {
      guard let reference = try reference(pair.new, second, newColumn) else { return nil }
      if let file = old.identity(of: reference), file == new.identity(of: reference) { return nil }
    }
    let before = try oldValue(pair, first, oldColumn)
    let after = try newValue(pair, second, newColumn)
    if !before.isThere && !after.isThere || Self.isSame(before, after) { return nil }
    return ChangedValue(pair.name, old: before, new: after)
  }

  /// The value in the first store.
  func oldValue(
    _ pair: AttributePair, _ row: borrowing Row, _ column: Int?
  ) throws -> ComparedValue {
    try Self.value(pair.old, row, column, old)
  }

  /// The value in the second store.
  func newValue(
    _ pair: AttributePair, _ row: borrowing Row, _ column: Int?
  ) throws -> ComparedValue {
    try Self.value(pair.new, row, column, new)
  }

  private static func value(
    _ attribute: AttributeColumn?, _ row: borrowing Row, _ column: Int?, _ files: ExternalContents
  ) throws -> ComparedValue {
    guard let attribute, let column else { return .absent }
    let value = attribute.storage.value(of: try row.value(column))
    return switch value {
    case .binary(let bytes), .transformable(let bytes): files.value(of: bytes)
    case .external(let reference): files.value(of: reference)
    default: .value(value)
    }
  }

  /// The reference to a file that a column holds, when it does.
  private func reference(
    _ attribute: AttributeColumn?, _ row: borrowing Row, _ column: Int
  ) throws -> ExternalReference? {
    guard attribute?.storage.isExternal == true, row.type(column) == .blob,
      try row.length(column) == ExternalReference.length
    else { return nil }
    return try row.blob(column).flatMap(ExternalReference.init(stored:))
  }

  /// Whether two values are the same, by type and bits.
  static func isSame(_ old: ComparedValue, _ new: ComparedValue) -> Bool {
    switch (old, new) {
    case (.data(let old), .data(let new)): old.bytes == new.bytes && old.sha256 == new.sha256
    case (.value(let old), .value(let new)): isSame(old, new)
    default: old == new
    }
  }

  /// Swift takes texts for equal whose characters are made up otherwise, and 0.0 and -0.0.
  private static func isSame(_ old: AttributeValue, _ new: AttributeValue) -> Bool {
    switch (old, new) {
    case (.real(let old), .real(let new)), (.date(let old), .date(let new)):
      old.bitPattern == new.bitPattern
    case (.string(let old), .string(let new)), (.uri(let old), .uri(let new)):
      old.utf8.elementsEqual(new.utf8)
    default: old == new
    }
  }
}
