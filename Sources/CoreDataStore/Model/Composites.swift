// Composite attributes. Each part has a column of its own, so code that reads values sees the
// parts, by their paths ("address.city"). The composite as a whole matters for version hashes, for
// model files, and for scripts.

extension Attribute {
  /// Whether it is a part of a composite attribute.
  public var isElement: Bool { name.contains(".") }

  /// The last name of its path, from which the column gets its name.
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
  /// Declares attributes; composite ones also by their parts.
  package mutating func declare(_ declared: [Attribute]) {
    composites = declared.filter { $0.type == .composite }
    attributes = declared.filter { $0.type != .composite } + composites.flatMap(\.leaves)
  }

  /// The attributes as they were declared: a composite is one attribute, which has its parts.
  public var declaredAttributes: [Attribute] {
    (attributes.filter { !$0.isElement } + composites).sortedByName()
  }

  /// The attributes in the order in which their columns get names: parts come "where the composite
  /// stands, depth-first in modelled order".
  var attributesByColumn: [Attribute] {
    declaredAttributes.flatMap { $0.type == .composite ? $0.leaves : [$0] }
  }
}

extension Model {
  /// The composite attributes of an entity, inherited ones included, by name.
  package func allComposites(of entity: Entity) -> [Attribute] {
    lineage(of: entity).flatMap(\.composites).sortedByName()
  }

  /// The names of the parts of the composite at this path; none if it is not a composite.
  package func parts(of path: String, in entity: Entity) -> [String] {
    let all = allAttributes(of: entity)
    // In their order all that begin alike stand together.
    let elements = all[all.sortedPlace("\(path).", by: \.name)...]
      .prefix { $0.name.hasPrefix("\(path).") }
    let names = elements.compactMap {
      $0.name.dropFirst(path.count + 1).split(separator: ".").first.map(String.init)
    }
    return Set(names).sorted()
  }
}
