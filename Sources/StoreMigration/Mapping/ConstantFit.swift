internal import CoreDataStore
import Foundation

/// Whether a value that a pipeline file writes fits an attribute.
enum ConstantFit {
  /// The value as the attribute holds it; nil when it does not fit.
  static func value(_ constant: ModelConstant, for attribute: Attribute) -> ModelConstant? {
    switch (constant, attribute.type) {
    case (.null, _): attribute.isOptional ? .null : nil
    case (.integer(0), .boolean), (.integer(1), .boolean): constant.normalized(for: .boolean)
    case (.real(let value), .decimal): decimal("\(value)")
    case (.string(let text), .decimal): decimal(text)
    case (.string(let text), .uuid): UUID(uuidString: text).map(ModelConstant.uuid)
    case (.integer, .boolean): nil
    case (.boolean, _) where attribute.type != .boolean: nil
    default: plain(constant.normalized(for: attribute.type), attribute.type)
    }
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
