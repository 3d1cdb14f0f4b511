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
  /// A type this library does not know, by the name or number its model gives.
  case unknown(String)

  /// The types that are known.
  public static let allCases: [AttributeType] = [
    .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string,
    .boolean, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite,
  ]

  /// The type's number in a compiled model (`NSAttributeType`), nil for an unknown one.
  public var code: Int32? {
    switch self {
    case .undefined: 0
    case .integer16: 100
    case .integer32: 200
    case .integer64: 300
    case .decimal: 400
    case .double: 500
    case .float: 600
    case .string: 700
    case .boolean: 800
    case .date: 900
    case .binary: 1000
    case .uuid: 1100
    case .uri: 1200
    case .transformable: 1800
    case .objectID: 2000
    case .composite: 2100
    case .unknown: nil
    }
  }

  /// The type's name, as Xcode shows and saves it.
  public var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "ObjectID"
    case .composite: "Composite"
    case .unknown(let name): name
    }
  }

  /// The type of this name; `unknown` when there is none.
  public init(name: String) {
    self = Self.allCases.first { $0.name == name } ?? .unknown(name)
  }

  /// The type of this number; `unknown` when there is none.
  public init(code: Int64) {
    self = Self.allCases.first { $0.code.map(Int64.init) == code } ?? .unknown(String(code))
  }

  /// Whether values are whole numbers.
  public var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }
}
