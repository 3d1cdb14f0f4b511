/// The type of an attribute's values.
public enum AttributeType: Hashable, Sendable, CaseIterable {
  case undefined
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case boolean
  case date
  case binary
  case uuid
  case uri
  case transformable
  case objectID
  case composite
  /// A value of a Swift type that Core Data encodes itself, since iOS 26.
  case codable
  /// A type this library does not know, by the name or number its model gives.
  case unknown(String)

  /// The types that are known.
  public static let allCases: [AttributeType] = [
    .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string,
    .boolean, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite,
    .codable,
  ]

  /// The type's number in a compiled model (`NSAttributeType`), nil for an unknown one.
  public var code: Int32? { facts.code }

  /// The type's name, as Xcode shows and saves it.
  public var name: String { facts.name }

  /// The type of this name; `unknown` when there is none.
  public init(name: String) {
    self = Self.allCases.first { $0.name == name } ?? .unknown(name)
  }

  /// The type of this number; `unknown` when there is none.
  public init(code: Int64) {
    self = Self.allCases.first { $0.code.map(Int64.init) == code } ?? .unknown(String(code))
  }

  /// Whether values are whole numbers.
  public var isInteger: Bool { facts.range != nil }
}
