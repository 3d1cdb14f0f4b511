internal import CoreDataStore
internal import SQLite

/// What is done to one attribute's values on their way, where SQL alone cannot.
struct ValueChange {
  let entity: String
  let attribute: String
  let conversion: Conversion?
  let source: AttributeStorage
  let target: AttributeStorage
  let replacement: Value?
  let external: ExternalValues
  /// Counts a value by what there is to note about it.
  let note: (ValueRemark, PropertyReference) throws -> Void

  /// The value for the target's column, of an object of this key.
  func value(of stored: Value, key: Int64) throws -> Value {
    if stored.isNull { return replacement ?? .null }
    var value = source.value(of: stored)
    if case .unexpected = value {
      if source.isExternal, stored.blob != nil, conversion?.keepsStoredForm != false {
        try note(.malformed, PropertyReference(entity, attribute))
        return stored
      }
      throw error(key, "It is not what the store holds for the type \(source.type.name).")
    }
    if case .external(let reference) = value, !target.isExternal {
      value = try content(of: reference, key)
    }
    if let conversion {
      guard let converted = conversion.convert(value) else {
        throw error(
          key, "\(conversion.source.name) to \(conversion.target.name): \(conversion.rule).")
      }
      value = converted
      if DecimalForm.losesDigits(value) {
        try note(.rounded, PropertyReference(entity, attribute))
      }
    }
    if target.isExternal { value = try placed(value, key) }
    guard let result = target.stored(value) else {
      throw error(key, "The type \(target.type.name) has no such value.")
    }
    return result
  }

  private func content(of reference: ExternalReference, _ key: Int64) throws -> AttributeValue {
    do {
      let bytes = try external.content(of: reference)
      return target.type != .binary ? .transformable(bytes) : .binary(bytes)
    } catch {
      throw Failure(
        external: error, what: "cannot bring an external value into the store",
        subject: subject(key))
    }
  }

  private func placed(_ value: AttributeValue, _ key: Int64) throws -> AttributeValue {
    do {
      return try external.placed(value)
    } catch {
      throw Failure(
        error, what: "cannot put a large value into a file", subject: subject(key))
    }
  }

  private func subject(_ key: Int64) -> String {
    "entity \(entity), Z_PK \(key), attribute \(attribute)"
  }

  private func error(_ key: Int64, _ why: String) -> Failure {
    Failure(
      .unusable, what: Failure.cannotConvert, subject: subject(key),
      why: "The value cannot be converted. \(why)",
      remedy: "Correct the object in the application, leave it out with where, or let a script "
        + "convert it; then give the same command again.")
  }
}

extension Failure {
  /// What fails where a value does not fit what the pipeline file says of its attribute.
  package static let cannotConvert = "cannot convert a value"
}
