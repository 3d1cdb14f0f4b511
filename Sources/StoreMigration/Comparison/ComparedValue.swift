package import CoreDataStore

/// The value of an attribute on one side of a comparison.
package enum ComparedValue: Hashable, Sendable {
  /// The model of this side has no such attribute, or the object is not there.
  case absent
  /// A value that is no data; `.null` for none.
  case value(AttributeValue)
  /// Binary data or a transformable, wherever it lies.
  case data(ComparedData)
  /// Data that ought to be in a file, and the file is not there or cannot be read.
  case lost(name: String)

  /// Whether there is something.
  package var isThere: Bool { self != .absent && self != .value(.null) }
}

/// Data of a comparison: its digest, and itself only where it is small enough to be shown.
package struct ComparedData: Hashable, Sendable {
  /// How many bytes there are.
  package let bytes: Int
  package let sha256: [UInt8]
  /// The bytes, when there are no more than ``ComparisonChoices/contentLimit``.
  package let content: [UInt8]?
  /// The name of the file that holds them, when one does.
  package let file: String?

  package init(bytes: Int, sha256: [UInt8], content: [UInt8]? = nil, file: String? = nil) {
    self.bytes = bytes
    self.sha256 = sha256
    self.content = content
    self.file = file
  }
}
