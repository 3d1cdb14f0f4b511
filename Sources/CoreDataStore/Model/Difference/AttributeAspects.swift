/// What is not the same about two versions of an attribute.
enum AttributeAspects {
  /// The differences, those that matter most first.
  static func between(_ old: Attribute, _ new: Attribute) -> [Aspect] {
    (meaning(old, new) + rules(old, new) + surroundings(old, new)).compactMap(\.self)
  }

  /// What enters the version hash.
  private static func meaning(_ old: Attribute, _ new: Attribute) -> [Aspect?] {
    [
      Aspect("type", old.type, new.type, words: \.name),
      Aspect("value", old.isOptional, new.isOptional, yes: "optional", no: "mandatory"),
      Aspect("storage", old.isTransient, new.isTransient, yes: "transient", no: "stored"),
      Aspect("read-only", old.isReadOnly, new.isReadOnly),
      Aspect("external storage", old.usesExternalStorage, new.usesExternalStorage),
      Aspect(
        "preserved after deletion", old.isPreservedAfterDeletion, new.isPreservedAfterDeletion),
      Aspect("derivation", old.derivation, new.derivation) { derivation in
        guard let derivation else { return "none" }
        let filter = derivation.filter.map { " where \($0)" } ?? ""
        return "\(derivation.expression)\(filter)"
      },
      Aspect("elements", old.elements, new.elements) {
        $0.map(\.name).joined(separator: ", ")
      },
      Aspect("hash modifier", old.hashModifier, new.hashModifier),
    ]
  }

  private static func rules(_ old: Attribute, _ new: Attribute) -> [Aspect?] {
    [
      Aspect("default", old.defaultValue, new.defaultValue) { $0?.predicateText ?? "none" },
      Aspect("validation", old.validation, new.validation) { rules in
        let words = rules.map(\.description).joined(separator: ", ")
        return words.isEmpty ? "none" : words
      },
    ]
  }

  private static func surroundings(_ old: Attribute, _ new: Attribute) -> [Aspect?] {
    [
      Aspect("transformer", old.transformerName, new.transformerName),
      Aspect("class of values", old.valueClassName, new.valueClassName),
      Aspect("composite", old.compositeName, new.compositeName),
      Aspect("indexed", old.isIndexed, new.isIndexed),
      Aspect("user info", old.userInfo, new.userInfo) {
        $0.isEmpty ? "none" : $0.keys.sortedByName().joined(separator: ", ")
      },
    ]
  }
}
