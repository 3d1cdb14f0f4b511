internal import CoreDataStore
internal import StoreMigration

/// An object with all it has, read to be compared and shown.
struct ObjectRecord: Hashable, Sendable {
  /// Where one relationship leads.
  struct Link: Hashable, Sendable {
    /// The relationship's name.
    let name: String
    /// Whether it may lead to many.
    let isToMany: Bool
    let objects: [ObjectID]
  }

  /// The value of one attribute.
  struct Cell: Hashable, Sendable {
    /// The attribute's name.
    let name: String
    /// Its value; large ones are read from their files.
    let value: AttributeValue
  }

  let id: ObjectID
  /// The stored attributes, by name.
  let cells: [Cell]
  /// The stored relationships, by name.
  let links: [Link]

  /// Reads an object by the names of its model.
  init(
    _ id: ObjectID, of model: Model, value: (String) throws -> AttributeValue,
    bytes: (ExternalReference) throws -> [UInt8], destinations: (String) throws -> [ObjectID]
  ) throws {
    self.id = id
    guard let entity = model.entity(named: id.entity) else {
      (cells, links) = ([], [])
      return
    }
    cells = try model.allAttributes(of: entity).filter(\.isStored).map { attribute in
      var found = try value(attribute.name)
      if case .external(let reference) = found { found = .binary(try bytes(reference)) }
      return Cell(name: attribute.name, value: found)
    }
    links = try model.allRelationships(of: entity).filter { !$0.isTransient }.map {
      Link(name: $0.name, isToMany: $0.isToMany, objects: try destinations($0.name))
    }
  }

  /// The value of an attribute; nil when there is none of that name.
  func value(_ name: String) -> AttributeValue? { cells.first { $0.name == name }?.value }

  /// Where a relationship leads; nil when there is none of that name.
  func link(_ name: String) -> Link? { links.first { $0.name == name } }
}

extension Attribute {
  /// Whether a column holds its values.
  var isStored: Bool {
    switch type {
    case .undefined, .composite, .unknown: false
    default: !isTransient
    }
  }
}

extension ValueText {
  /// Where a relationship leads, "Folder 1".
  static func of(_ link: ObjectRecord.Link, most: Int = 6) -> String {
    let names = link.objects.prefix(most).map { "\($0.entity) \($0.key)" }
    let more = link.objects.count - names.count
    let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    guard link.isToMany else { return list.isEmpty ? "nil" : list }
    return list.isEmpty ? "{}" : "{ \(list) }"
  }
}

extension ObjectRecord {
  /// Everything the object has, a property a line: attributes, then relationships.
  func lines(most: Int = 60) -> [(name: String, text: String)] {
    cells.map { ($0.name, ValueText.of($0.value, most: most)) }
      + links.map { ($0.name, ValueText.of($0)) }
  }
}
