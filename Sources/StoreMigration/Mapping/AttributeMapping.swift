package import CoreDataStore

/// Where the values of one attribute of the target come from.
package struct AttributeMapping: Sendable, Hashable {
  /// Where a value comes from.
  package enum Origin: Sendable, Hashable {
    /// An attribute of the source, converted where the types differ.
    case source(String, Conversion?)
    /// The same value for every object.
    case value(ModelConstant)
    /// No value.
    case null
    /// A script makes it.
    case script
    /// It is computed when the object is whole.
    case derivation
  }

  /// Whether large values may live in files, before and after; the stored bytes say which.
  package enum StorageChange: Sendable, Hashable {
    case none
    /// Values get the prefix that distinguishes inline data from a reference.
    case gainsExternalStorage
    /// Values lose that prefix, and those in files come into the store.
    case losesExternalStorage
  }

  /// The attribute's name in the target.
  package let name: String
  /// Where a value comes from.
  package let origin: Origin
  /// The rule that says so.
  package let rule: MappingRule
  /// What takes the place of a value that is missing in the source: the default of an attribute
  /// that became mandatory.
  package let replacement: ModelConstant?
  /// What happens to the stored form.
  package let storage: StorageChange

  /// The source's attribute, when there is one.
  package var source: String? {
    guard case .source(let name, _) = origin else { return nil }
    return name
  }
}
