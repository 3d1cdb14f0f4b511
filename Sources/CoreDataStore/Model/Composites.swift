// Composite attributes: what they hold stands in columns of its own, so everything that looks at
// values sees the elements, each by its path ("address.city"). As a whole a composite matters for
// version hashes, for the model as a document, and for scripts.

extension Attribute {
  /// Whether it is a part of a composite attribute.
  public var isElement: Bool { name.contains(".") }

  /// The name without those of the composites that it is in: what its column is called after.
  package var ownName: String { name.split(separator: ".").last.map(String.init) ?? name }

  /// The parts of a composite that hold values, depth first in the order of the model.
  var leaves: [Attribute] {
    elements.flatMap { part in
      (part.type == .composite ? part.leaves : [part]).map(within)
    }
  }

  /// A part of this composite, or of one in it, as an attribute of the entity.
  private func within(_ part: Attribute) -> Attribute {
    var leaf = part
    leaf.name = "\(name).\(part.name)"
    if renamingIdentifier != nil || part.renamingIdentifier != nil {
      leaf.renamingIdentifier = "\(renamingName).\(part.renamingName)"
    }
    // "An element is skipped when some enclosing composite is optional."
    leaf.isOptional = part.isOptional || isOptional
    leaf.isTransient = part.isTransient || isTransient
    leaf.isPreservedAfterDeletion = part.isPreservedAfterDeletion || isPreservedAfterDeletion
    return leaf
  }
}

extension Entity {
  /// Declares attributes, and in the place of composite ones what these hold.
  package mutating func declare(_ declared: [Attribute]) {
    composites = declared.filter { $0.type == .composite }
    attributes = declared.filter { $0.type != .composite } + composites.flatMap(\.leaves)
  }

  /// The attributes as they were declared: composites as such, and their elements in them.
  public var declaredAttributes: [Attribute] {
    (attributes.filter { !$0.isElement } + composites).sortedByName()
  }

  /// The attributes in the order in which their columns are given names: elements stand "where the
  /// composite stands, depth-first in modelled order".
  var attributesByColumn: [Attribute] {
    declaredAttributes.flatMap { $0.type == .composite ? $0.leaves : [$0] }
  }
}

extension Model {
  /// The composite attributes of an entity, inherited ones included, by name.
  package func allComposites(of entity: Entity) -> [Attribute] {
    lineage(of: entity).flatMap(\.composites).sortedByName()
  }

  /// The names of what a composite attribute of this path holds; none where it is no composite.
  package func parts(of path: String, in entity: Entity) -> [String] {
    let elements = allAttributes(of: entity).filter { $0.name.hasPrefix("\(path).") }
    let names = elements.compactMap {
      $0.name.dropFirst(path.count + 1).split(separator: ".").first.map(String.init)
    }
    return Set(names).sorted()
  }
}
