internal import CoreDataStore
internal import Foundation

/// Whether a value that a pipeline file writes fits an attribute.
enum ConstantFit {
  /// The value as the attribute holds it; nil when it does not fit.
  static func value(_ constant: ModelConstant, for attribute: Attribute) -> ModelConstant? {
    guard loss(of: constant, in: attribute.type) == nil else { return nil }
    return switch (constant, attribute.type) {
    case (.null, _): attribute.isOptional ? .null : nil
    case (.integer(0), .boolean), (.integer(1), .boolean): constant.normalized(for: .boolean)
    case (.real(let value), .decimal): decimal("\(value)")
    case (.string(let text), .decimal): decimal(text)
    case (.string(let text), .integer64): wide(text)
    case (.string(let text), .uuid): UUID(uuidString: text).map(ModelConstant.uuid)
    case (.integer, .boolean): nil
    case (.boolean, _) where attribute.type != .boolean: nil
    default: plain(constant.normalized(for: attribute.type), attribute.type)
    }
  }

  /// Why digits of a number get lost; nil where none do, or where the number does not fit at all.
  static func loss(of constant: ModelConstant, in type: AttributeType) -> String? {
    switch (constant, type) {
    case (.real(let value), .decimal), (.real(let value), .integer64):
      abs(value) < largest || !value.isFinite
        ? nil
        : "Lua keeps the number with 53 bits, so that digits of it may be lost; write it as a text."
    case (.integer(let value), .double), (.integer(let value), .float):
      Double(exactly: value) == nil
        ? "The type \(type.name) does not hold all digits of the number; write it with fewer." : nil
    case (.string(let text), .decimal):
      DecimalForm.losesDigits(.decimal(text))
        ? "A store holds a Decimal as a whole number of 64 bits or as a Double, so that digits of "
          + "it are lost; write it with fewer." : nil
    default: nil
    }
  }

  /// 2^53: from there on not every whole number is a double.
  private static let largest = 0x1p53

  /// A whole number that a pipeline file has to write as a text, because readers of its plan may
  /// keep numbers as doubles.
  private static func wide(_ text: String) -> ModelConstant? {
    Int64(text).flatMap { Double($0.magnitude) < largest ? nil : .integer($0) }
  }

  private static func decimal(_ text: String) -> ModelConstant? {
    guard DecimalForm(text)?.isHeld == true else { return nil }
    return Decimal(plain: text).map(ModelConstant.decimal)
  }

  private static func plain(_ constant: ModelConstant, _ type: AttributeType) -> ModelConstant? {
    let fits =
      switch (constant, type) {
      case (.integer(let value), .integer16): Int16(exactly: value) != nil
      case (.integer(let value), .integer32): Int32(exactly: value) != nil
      case (.integer, .integer64), (.boolean, .boolean), (.string, .string), (.uri, .uri),
        (.uuid, .uuid), (.decimal, .decimal), (.bytes, .binary), (.bytes, .transformable):
        true
      case (.real(let value), .double), (.real(let value), .float), (.date(let value), .date):
        value.isFinite
      default: false
      }
    return fits ? constant : nil
  }
}
