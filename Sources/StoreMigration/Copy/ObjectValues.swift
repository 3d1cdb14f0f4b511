internal import CoreDataStore
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
  /// Where values lie, by attributes that were asked for before: the models are asked once.
  private var places: [PropertyReference: Place] = [:]

  /// The columns of a store, with the place where large values go.
  init(schema: StoreSchema, external: ExternalValues) {
    self.schema = schema
    self.external = external
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
      let placed = place.storage.isExternal ? try external.placed(value) : value
      if let stored = place.storage.stored(placed), place.storage.type.holds(value) {
        return (place.column, stored)
      }
    } catch {
      throw Failure(
        error, what: "cannot put a large value into a file", subject: subject(layout, key, name))
    }
    throw error(
      layout, key, name, "An attribute of the type \(place.storage.type.name) has no such value.",
      remedy: "Give it a value of its type.")
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
