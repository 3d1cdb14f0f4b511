import CoreDataStore
import Foundation
import Lua
internal import StoreMigration

/// Attribute values as scripts see them, and what scripts make of them.
///
/// The model decides the type of a value, never the script: 10.0 for an integer is 10, 10.5 is a
/// mistake.
enum ScriptValue {
  /// Why a value does not fit, without the value itself: it is the user's data.
  struct Misfit: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// A value of the source as a script sees it; files are read by `external`.
  static func read(
    _ value: AttributeValue, external: (ExternalReference) throws -> [UInt8]
  ) throws -> LuaValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .boolean(let truth): .boolean(truth)
    case .real(let number), .date(let number): .real(number)
    case .decimal(let text), .string(let text), .uri(let text): .text(text)
    case .uuid(let uuid): .text(uuid.uuidString)
    case .binary(let bytes), .transformable(let bytes): .string(bytes)
    case .external(let reference): .string(try external(reference))
    case .unexpected(let value):
      throw Misfit("the store holds a value of the kind \(value.kind) there, which does not belong")
    }
  }

  /// What an attribute holds for a value of a script's.
  static func write(_ value: LuaValue, to attribute: Attribute) throws(Misfit) -> AttributeValue {
    if attribute.isTransient { throw Misfit("it is transient: nothing of it is stored") }
    if attribute.derivation != nil { throw Misfit("it is derived: it is computed at the end") }
    if value == .null {
      guard attribute.isOptional else { throw Misfit("it is mandatory and was given nil") }
      return .null
    }
    return try typed(value, attribute.type)
  }

  private static func typed(
    _ value: LuaValue, _ type: AttributeType
  ) throws(Misfit) -> AttributeValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(try integer(value, type))
    case .double: .real(try finite(value, type))
    case .float: .real(try float(value))
    case .decimal: .decimal(try decimal(value))
    case .boolean: .boolean(try boolean(value))
    case .date: .date(try finite(value, type))
    case .string: .string(try text(value, type))
    case .uri: .uri(try text(value, type))
    case .uuid: .uuid(try uuid(value))
    case .binary: .binary(try bytes(value, type))
    case .transformable, .codable: .transformable(try bytes(value, type))
    case .undefined, .objectID, .composite, .unknown:
      throw Misfit("it is of the type \(type.name), which cannot be written")
    }
  }

  private static func integer(
    _ value: LuaValue, _ type: AttributeType
  ) throws(Misfit) -> Int64 {
    let whole: Int64? =
      switch value {
      case .integer(let number): number
      case .real(let number): Int64(exactly: number)
      default: throw wrong(value, type)
      }
    guard let whole else {
      throw Misfit("it is \(type.phrase) and was given a number that is not whole or too large")
    }
    guard type.facts.range?.contains(whole) != false else {
      throw Misfit("it is \(type.phrase) and was given a number that is too large")
    }
    return whole
  }

  private static func finite(
    _ value: LuaValue, _ type: AttributeType
  ) throws(Misfit) -> Double {
    guard let number = value.number else { throw wrong(value, type) }
    guard number.isFinite else {
      throw Misfit("it is \(type.phrase) and was given a number that is not finite")
    }
    return number
  }

  private static func float(_ value: LuaValue) throws(Misfit) -> Double {
    let number = Float(try finite(value, .float))
    guard number.isFinite else {
      throw Misfit("it is a Float and was given a number that is too large")
    }
    return Double(number)
  }

  private static func decimal(_ value: LuaValue) throws(Misfit) -> String {
    switch value {
    case .integer(let number): return "\(number)"
    case .real:
      let text = "\(try finite(value, .decimal))"
      guard DecimalForm.isHeld(text) else { throw beyondDecimals }
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .string:
      guard let text = value.text, let form = DecimalForm(text) else {
        throw Misfit("it is a Decimal and was given a text that is no decimal number")
      }
      guard form.isHeld else { throw beyondDecimals }
      return text
    default: throw wrong(value, .decimal)
    }
  }

  private static let beyondDecimals = Misfit(
    "it is a Decimal and was given a number of more than 38 digits, or beyond its exponents, "
      + "-128 to 127; decimal.round makes it shorter")

  private static func boolean(_ value: LuaValue) throws(Misfit) -> Bool {
    guard let truth = value.boolean else {
      let hint = value.number == nil ? "" : "; write x ~= 0"
      throw Misfit(wrong(value, .boolean).description + hint)
    }
    return truth
  }

  private static func text(_ value: LuaValue, _ type: AttributeType) throws(Misfit) -> String {
    guard value.bytes != nil else {
      let hint = value.number == nil ? "" : "; write tostring(x) or string.format"
      throw Misfit(wrong(value, type).description + hint)
    }
    guard let text = value.text else {
      throw Misfit("it is \(type.phrase) and was given bytes that are not UTF-8")
    }
    return text
  }

  private static func uuid(_ value: LuaValue) throws(Misfit) -> UUID {
    guard let bytes = value.bytes else { throw wrong(value, .uuid) }
    guard let text = value.text, let uuid = UUID(uuidString: text) else {
      let hint = bytes.count == 16 ? "; write uuid.text(x)" : ""
      throw Misfit("it is a UUID and was given a text that is not its 36 characters\(hint)")
    }
    return uuid
  }

  private static func bytes(_ value: LuaValue, _ type: AttributeType) throws(Misfit) -> [UInt8] {
    guard let bytes = value.bytes else {
      let hint = type == .transformable ? "; write plist.archive(x)" : ""
      throw Misfit(wrong(value, type).description + hint)
    }
    return bytes
  }

  private static func wrong(_ value: LuaValue, _ type: AttributeType) -> Misfit {
    let hint =
      switch type {
      case .transformable: ""
      case _ where value.typeName == "table": "; write one value of it, such as x[1] or x.name"
      case .date where value.bytes != nil: "; write date.parse(x)"
      case _ where value.bytes != nil && (type.isInteger || type == .double || type == .float):
        "; write tonumber(x)"
      case .boolean where value.bytes != nil: #"; write x == "yes""#
      default: ""
      }
    return Misfit("it is \(type.phrase) and was given a \(value.typeName)\(hint)")
  }
}

extension ScriptValue {
  /// A value as a message shows it, when it may.
  static func shown(_ value: LuaValue) -> String {
    switch value {
    case .null: "NULL"
    case .boolean(let truth): "\(truth)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .string(let bytes):
      value.text.map { LuaText.quoted(String($0.prefix(60))) } ?? "\(bytes.count) bytes"
    case .table, .opaque: "an object"
    }
  }
}

extension AttributeType {
  /// The type's name with its article.
  fileprivate var phrase: String { isInteger ? "an \(name)" : "a \(name)" }
}
