/// One option of a stage, or of a table inside one, and the property that its value goes to.
///
/// The checker, the reference and the stage itself are all made from these. What the property holds
/// at first is the option's default, so that a default is written once. An option reads nothing but
/// its own value: what two options mean together is the stage's business.
public struct StageOption<Owner: Sendable>: Sendable {
  /// A property that an option fills in.
  public typealias Property<Value> = any WritableKeyPath<Owner, Value> & Sendable

  /// The option with its default, which it takes from an unchanged owner.
  let describe: @Sendable (Owner) -> OptionDescription
  /// Puts a checked value where it belongs.
  let store: @Sendable (inout Owner, OptionValue) -> Void

  /// An option that may be left out.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - property: The property, which holds the default.
  ///   - type: The values it takes; without it, those that the property's type stands for.
  ///   - isUnnamed: Whether it may be written without its name.
  ///   - help: What it does, in sentences.
  /// - Returns: The option.
  public static func option<Value: OptionConvertible>(
    _ name: String, _ property: Property<Value>, _ type: OptionType = Value.optionType,
    isUnnamed: Bool = false, help: String
  ) -> Self {
    Self(name, property, type, isRequired: false, isUnnamed, help)
  }

  /// An option that must be written; what the property holds at first is never seen.
  public static func required<Value: OptionConvertible>(
    _ name: String, _ property: Property<Value>, _ type: OptionType = Value.optionType,
    isUnnamed: Bool = false, help: String
  ) -> Self {
    Self(name, property, type, isRequired: true, isUnnamed, help)
  }

  private init<Value: OptionConvertible>(
    _ name: String, _ property: Property<Value>, _ type: OptionType, isRequired: Bool,
    _ isUnnamed: Bool, _ help: String
  ) {
    describe = { owner in
      let value = isRequired ? nil : owner[keyPath: property].optionValue
      return OptionDescription(
        name, type, default: value.map { type.form($0) }, isRequired: isRequired,
        isUnnamed: isUnnamed, help: help)
    }
    store = { owner, values in
      guard let value = Value(values) else { return }
      owner[keyPath: property] = value
    }
  }
}

extension StageOption {
  /// The descriptions of options, with the defaults that an owner has.
  static func descriptions(_ options: [Self], of owner: Owner) -> [OptionDescription] {
    options.map { $0.describe(owner) }
  }

  /// An owner with the values that a pipeline file has.
  static func filled(
    _ owner: Owner, _ options: [Self], with values: [String: OptionValue]
  ) -> Owner {
    options.reduce(into: owner) { owner, option in
      if let value = values[option.describe(owner).name] { option.store(&owner, value) }
    }
  }
}

extension OptionType {
  /// A value in the form that the type has: a size is a number of bytes.
  fileprivate func form(_ value: OptionValue) -> OptionValue {
    guard case (.size, .integer(let bytes)) = (self, value) else { return value }
    return .size(bytes)
  }
}
