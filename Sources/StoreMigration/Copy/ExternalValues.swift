internal import CoreDataStore
internal import Foundation
internal import OperatingSystem

/// The large values of a store that is being built, each in a file: those it has, and new ones.
package struct ExternalValues: Sendable {
  /// The longest value that stays in its column.
  ///
  /// Core Data reads either form; it writes values beyond about 100 KB to files.
  static let mostInline = 100 << 10

  /// The folders of the source's files; the first that has one counts.
  let old: [String]
  /// The folder of files that this run makes; nil for none.
  let new: String?

  func content(of reference: ExternalReference) throws(SystemError) -> [UInt8] {
    for folder in old.dropLast() {
      if let bytes = try Self.content(of: reference, in: folder) { return bytes }
    }
    return try FileSystem.content(
      of: reference.name, in: OpenDescriptor(folder: old.last ?? ""))
  }

  private static func content(
    of reference: ExternalReference, in folder: String
  ) throws(SystemError) -> [UInt8]? {
    do {
      return try FileSystem.content(of: reference.name, in: OpenDescriptor(folder: folder))
    } catch {
      guard error.isMissing else { throw error }
      return nil
    }
  }

  /// The bytes of a value that gets a file; nil for one that stays in its column.
  static func large(_ value: AttributeValue) -> [UInt8]? {
    switch value {
    case .binary(let bytes), .transformable(let bytes):
      bytes.count > mostInline ? bytes : nil
    default: nil
    }
  }

  /// What an attribute with external storage holds for a value: a large one gets a file.
  ///
  /// The file is on disk before the row that refers to it can be.
  func placed(_ value: AttributeValue) throws(SystemError) -> AttributeValue {
    guard let new, let bytes = Self.large(value),
      let reference = ExternalReference(UUID().uuidString)
    else { return value }
    try FileSystem.makeFolder(new)
    let file = try OpenDescriptor(creating: "\(new)/\(reference.name)")
    try file.write(bytes[...])
    try file.sync()
    try OpenDescriptor(folder: new).sync()
    return .external(reference)
  }
}
