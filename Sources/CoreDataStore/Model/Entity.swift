/// One entity of a model, with the properties it declares itself.
///
/// Inherited properties are asked of the model: ``Model/allAttributes(of:)``.
public struct Entity: Hashable, Sendable {
  /// The name, unique in the model.
  public var name: String
  /// The entity it inherits from.
  public var parent: String?
  /// Whether objects of this very entity cannot exist.
  public var isAbstract = false
  /// The class of its objects, when the model says.
  public var className: String?
  /// The attributes it declares, by name; parts of composite ones by their paths.
  public var attributes: [Attribute] = [] {
    didSet { attributes = attributes.sortedByName() }
  }
  /// The composite attributes it declares, with their parts.
  public package(set) var composites: [Attribute] = []
  /// The relationships it declares, by name.
  public var relationships: [Relationship] = [] {
    didSet { relationships = relationships.sortedByName() }
  }
  /// The fetched properties it declares, by name.
  public var fetchedProperties: [FetchedProperty] = [] {
    didSet { fetchedProperties = fetchedProperties.sortedByName() }
  }
  /// Combinations of properties that no two objects may share, in a fixed order.
  public var uniquenessConstraints: [[String]] = [] {
    didSet { uniquenessConstraints.sort { $0.lexicographicallyPrecedes($1) } }
  }
  /// The indexes it asks for, by name; not those of ``impliedIndexes``.
  public var fetchIndexes: [FetchIndex] = [] {
    didSet { fetchIndexes.sort { NameOrder.precedes($0.name, $1.name) } }
  }
  /// The older form of an index over several properties.
  public var compoundIndexes: [[String]] = []
  /// The name in the version before, when this entity was renamed.
  public var renamingIdentifier: String?
  /// Text that makes the version hash differ where the definition does not.
  public var hashModifier: String?
  /// What the application added to the definition.
  public var userInfo: [String: String] = [:]

  /// An entity without properties; set what it has.
  public init(name: String, parent: String? = nil) {
    self.name = name
    self.parent = parent
  }

  /// The name by which a migration finds this entity in another version.
  public var renamingName: String { renamingIdentifier ?? name }

  /// The indexes that Core Data makes of indexed attributes, each of the attribute's name.
  ///
  /// Seen in five stores of frameworks 1251 to 1338. Xcode's compiler counts an attribute as
  /// indexed, too, where a fetch index is over it alone, so that such stores have both indexes.
  /// How Core Data names the index of a part of a composite attribute is not known.
  public var impliedIndexes: [FetchIndex] {
    attributes.filter { $0.isIndexed && !$0.isTransient && !$0.isElement }.map { attribute in
      FetchIndex(
        name: attribute.name, elements: [FetchIndexElement(subject: .property(attribute.name))])
    }
  }

  /// The names of all the properties it declares.
  public var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }

  /// The declared attribute of this name.
  public func attribute(named name: String) -> Attribute? {
    attributes.sortedFind(name)
  }

  /// The declared relationship of this name.
  public func relationship(named name: String) -> Relationship? {
    relationships.sortedFind(name)
  }
}

extension String {
  /// A name with "a" or "an" before it, by its first letters: "an Address", "a User".
  package var withArticle: String {
    let word = lowercased()
    let isAsYou = ["uni", "use", "url", "eu"].contains(where: word.hasPrefix)
    return !isAsYou && word.first.map("aeiou".contains) == true ? "an \(self)" : "a \(self)"
  }
}
