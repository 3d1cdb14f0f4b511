/// The names that a model gives and that stand in SQL as they are, without quotes.
enum SchemaNames {
  /// Refuses an entity whose names cannot stand in SQL.
  ///
  /// Core Data asks for names of letters, digits and underscores; anything else would end the
  /// name it stands in, or begin something new.
  static func check(_ entity: Entity, in model: Model) throws(Failure) {
    try check(entity.name, "entity \(entity.name)", in: model)
    let stored =
      entity.attributes.flatMap { $0.name.split(separator: ".").map(String.init) }
      + entity.relationships.map(\.name)
      + entity.fetchIndexes.map(\.name)
    for name in stored { try check(name, "\(entity.name).\(name)", in: model) }
    guard let part = entity.uniquenessConstraints.joined().first(where: { $0.contains(".") })
    else { return }
    throw problem(
      model, "\(entity.name).\(part)",
      "How a uniqueness constraint over a part of a composite attribute is stored is not known.",
      remedy: "Leave this store to Core Data.")
  }

  private static func check(_ name: String, _ place: String, in model: Model) throws(Failure) {
    guard !name.isEmpty, name.unicodeScalars.allSatisfy(isPlain) else {
      throw problem(
        model, place, "Its name has a character other than letters, digits and underscores.")
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    // SQLite takes every byte above 0x7f for a part of a name.
    default: scalar.value > 0x7f && !scalar.properties.isWhitespace
    }
  }

  /// Refuses a schema in which two things have one name, as SQLite compares names.
  static func checkUnique(
    _ names: [String], _ what: String, in model: Model
  ) throws(Failure) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name.lowercased()).inserted {
      throw problem(model, what, "Two of its parts would have the same name there, \(name).")
    }
  }

  /// An error about a part of a model that has no place in a store.
  static func problem(
    _ model: Model, _ place: String, _ why: String, remedy: String = Failure.fixModel
  ) -> Failure {
    Failure(
      .unusableModel, what: "cannot lay out a store for the model",
      subject: "\(model.name), \(place)", why: why,
      remedy: remedy)
  }
}
