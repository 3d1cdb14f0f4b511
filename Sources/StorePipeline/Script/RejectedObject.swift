import CoreDataStore
import Formats
import Foundation
internal import StoreMigration

/// An object of the source as a property list, to be kept with all its values.
enum RejectedObject {
  /// The bytes of an object: its attributes by name, and the objects its relationships to one lead
  /// to as `[entity, key]`.
  static func bytes(_ object: ScriptObject, _ stores: any ScriptStores) throws -> [UInt8] {
    let model = stores.model(of: object.side)
    guard let entity = model.entity(named: object.id.entity) else { return [] }
    var values: [String: PropertyList] = [:]
    for attribute in model.allAttributes(of: entity) where !attribute.isTransient {
      values[attribute.name] = list(try stores.value(attribute.name, of: object))
    }
    for link in model.allRelationships(of: entity) where !link.isToMany && !link.isTransient {
      if let other = try stores.destinations(link.name, of: object).first {
        values[link.name] = .array([.string(other.entity), .integer(other.key)])
      }
    }
    return try BinaryPropertyListWriter.write(.dictionary(values))
  }

  private static func list(_ value: AttributeValue) -> PropertyList? {
    switch value {
    case .null, .unexpected: nil
    case .integer(let number): .integer(number)
    case .boolean(let truth): .bool(truth)
    case .real(let number): .real(number)
    case .date(let seconds): .date(seconds)
    case .decimal(let text), .string(let text), .uri(let text): .string(text)
    case .uuid(let uuid): .string(uuid.uuidString)
    case .binary(let bytes), .transformable(let bytes): .data(bytes)
    case .external(let reference): .dictionary(["$external": .string(reference.name)])
    }
  }
}
