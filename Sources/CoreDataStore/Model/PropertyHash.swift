/// The version hash of one property, or the reason why it cannot be computed.
enum PropertyHash {
  case known(VersionHash)
  case uncertain(why: String)

  /// The hash of what all properties have in common.
  private static func base(_ property: some Property) -> VersionHash {
    var input = VersionHashInput()
    input.add(property.name)
    let flags: [UInt16] = [
      property.isOptional ? 1 : 0, property.isTransient ? 2 : 0, property.isReadOnly ? 4 : 0,
    ]
    input.add(flags.reduce(0, |))
    input.add(optional: property.hashModifier)
    return input.hash
  }

  /// The hash of a relationship.
  ///
  /// The inverse's name is left out when there is none or the relationship is its own inverse.
  static func of(
    _ relationship: Relationship, in model: Model, declaredBy entity: Entity
  ) -> PropertyHash {
    guard let least = Int32(exactly: relationship.minCount),
      let most = Int32(exactly: relationship.maxCount)
    else { return .uncertain(why: "\(relationship.name) has a count beyond 32 bits") }
    var input = VersionHashInput()
    input.add(base(relationship))
    input.add(relationship.destination)
    let inverse = model.inverse(of: relationship)
    let isOwnInverse =
      inverse?.relationship.name == relationship.name && inverse?.declaredBy.name == entity.name
    if !isOwnInverse { input.add(optional: relationship.inverseName) }
    input.add(most)
    input.add(least)
    if relationship.isOrdered { input.add(UInt16(1)) }
    return .known(input.hash)
  }

  static func of(_ attribute: Attribute) -> PropertyHash {
    if let derivation = attribute.derivation { return of(derivation, attribute.name) }
    guard attribute.type != .composite else {
      // "SHA-256 over the hashes of its leaf elements sorted by element name": read in Core Data's
      // code and not proved by a model, so it is no answer.
      return .uncertain(why: "\(attribute.name) is a composite attribute")
    }
    guard attribute.type != .codable else {
      return .uncertain(why: "\(attribute.name) is a Codable attribute")
    }
    guard let code = attribute.type.code else {
      return .uncertain(why: "\(attribute.name) has the unknown type \(attribute.type.name)")
    }
    var input = VersionHashInput()
    input.add(base(attribute))
    input.add(code)
    if attribute.usesExternalStorage { input.add(byte: 1) }
    if attribute.isPreservedAfterDeletion { input.add(byte: 1) }
    return .known(input.hash)
  }

  /// How much of an expression a message shows.
  private static let mostShown = 200

  /// The hash of a derived attribute: of its text alone, as its name and type do not enter.
  ///
  /// Seen in Apple's stores are key paths and `count:(pages)`; other texts are not guessed.
  private static func of(_ derivation: Derivation, _ name: String) -> PropertyHash {
    if derivation.filter != nil { return .uncertain(why: "\(name) is derived with a filter") }
    guard isProved(derivation.expression) else {
      let text = derivation.expression.description
      let shown = text.count > mostShown ? "\(text.prefix(mostShown))..." : text
      return .uncertain(why: "\(name) is derived by \(shown)")
    }
    return .known(VersionHash(of: Array(derivation.expression.description.utf8)))
  }

  private static func isProved(_ expression: ModelExpression) -> Bool {
    switch expression {
    case .keyPath(let path): return isPlain(path)
    case .function("count:", let arguments):
      guard arguments.count == 1, case .keyPath(let path) = arguments[0] else { return false }
      return isPlain(path)
    default: return false
    }
  }

  private static func isPlain(_ path: String) -> Bool {
    !path.contains("@") && !PredicateToken.isReserved(path)
  }
}
