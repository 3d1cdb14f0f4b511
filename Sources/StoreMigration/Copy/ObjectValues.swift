internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// What the columns of a new store's objects hold for values that the caller gives.
final class ObjectValues {
  /// The column of an attribute, and how its values lie there.
  private struct Place {
    let column: String
    let storage: AttributeStorage
  }

  private let schema: StoreSchema
  private let external: ExternalValues
  private let staged: StagedValues?
  /// Where values lie, by attributes that were asked for before: the models are asked once.
  private var places: [PropertyReference: Place] = [:]

  /// The columns of a store, with the place where large values go, and those that a run has staged
  /// where the store is a twin.
  init(schema: StoreSchema, external: ExternalValues, staged: StagedValues? = nil) {
    (self.schema, self.external, self.staged) = (schema, external, staged)
  }

  private func place(of name: String, _ layout: EntityLayout) -> Place? {
    let reference = PropertyReference(layout.name, name)
    if let known = places[reference] { return known }
    guard let column = layout.column(named: name),
      let attribute = schema.model.attribute(name, ofEntity: layout.name)
    else { return nil }
    let place = Place(column: column.name, storage: AttributeStorage(of: attribute))
    places[reference] = place
    return place
  }

  /// The column of an object's attribute, and what it holds for a value.
  ///
  /// - Throws: ``Failure`` for a name that is not there and for a value of another type.
  func stored(
    _ value: AttributeValue, _ name: String, _ layout: EntityLayout, _ key: Int64
  ) throws -> (column: String, value: Value) {
    guard let place = place(of: name, layout) else {
      throw error(
        layout, key, name,
        "The target's \(layout.name) has no such attribute"
          + NearestName.suggestion(for: name, among: layout.properties) + ".",
        remedy: "Correct the name.")
    }
    do {
      let there = StagedValues.Place(table: layout.table, column: place.column, key: key)
      let placed = place.storage.isExternal ? try self.placed(value, at: there) : value
      if let stored = place.storage.stored(placed), place.storage.type.holds(value) {
        let mark = place.storage.isExternal ? nil : try staged?.mark(for: stored, at: there)
        return (place.column, mark ?? stored)
      }
    } catch let error as SystemError {
      throw Failure(
        error, what: "cannot put a large value into a file", subject: subject(layout, key, name))
    }
    throw error(
      layout, key, name, "An attribute of the type \(place.storage.type.name) has no such value.",
      remedy: "Give it a value of its type.")
  }

  /// A value for a column with external storage.
  private func placed(
    _ value: AttributeValue, at place: StagedValues.Place
  ) throws -> AttributeValue {
    if let staged, let bytes = ExternalValues.large(value),
      let file = try staged.file(with: bytes, at: place)
    {
      return .external(file)
    }
    return try external.placed(value)
  }

  /// The columns of an entity's attributes that the model gives a default, with it.
  static func defaults(
    of layout: EntityLayout, in schema: StoreSchema
  ) -> [(column: String, value: Value)] {
    layout.properties.compactMap { name in
      guard let column = layout.column(named: name),
        let attribute = schema.model.attribute(name, ofEntity: layout.name),
        attribute.derivation == nil, let constant = attribute.storableDefault
      else { return nil }
      return AttributeStorage(of: attribute).stored(constant: constant).map { (column.name, $0) }
    }
  }

  private func subject(_ layout: EntityLayout, _ key: Int64, _ name: String) -> String {
    "entity \(layout.name), Z_PK \(key), attribute \(name)"
  }

  private func error(
    _ layout: EntityLayout, _ key: Int64, _ name: String, _ why: String, remedy: String
  ) -> Failure {
    Failure(
      .unusable, what: "cannot set a value", subject: subject(layout, key, name), why: why,
      remedy: remedy)
  }
}

extension AttributeType {
  /// Whether a value of the right kind is also in the type's range.
  fileprivate func holds(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    default: true
    }
  }
}
