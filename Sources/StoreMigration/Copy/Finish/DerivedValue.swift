internal import CoreDataStore

/// What the expression of a derived attribute means in SQL, over the object's row `t` in `main`.
struct DerivedValue {
  private let schema: StoreSchema

  init(_ schema: StoreSchema) { self.schema = schema }

  /// The value; nil for an expression that cannot be computed here.
  func sql(_ derivation: Derivation, of layout: EntityLayout) -> String? {
    guard derivation.filter == nil else { return nil }
    switch derivation.expression {
    case .keyPath(let path): return related(path, layout)
    case .function("count:", let arguments):
      guard case .keyPath(let name)? = arguments.first, let many = many(name, layout) else {
        return nil
      }
      return "SELECT count(*) \(many.from)"
    case .function(let function, let arguments):
      guard let aggregate = Self.aggregates[function],
        case .keyPath(let path)? = arguments.first, let parts = Self.parts(path),
        let many = many(parts.first, layout), let column = attribute(parts.last, many.destination)
      else { return nil }
      let value = "\(aggregate)(d.\(column))"
      return "SELECT \(function == "sum:" ? "ifnull(\(value), 0)" : value) \(many.from)"
    default: return nil
    }
  }

  /// The statement that computes it for all objects; nil for an expression as above.
  func update(_ derivation: Derivation, column: String, of layout: EntityLayout) -> String? {
    sql(derivation, of: layout).map { value in
      """
      UPDATE main.\(layout.table) AS t SET \(column) = (\(value))
      WHERE t.Z_ENT BETWEEN \(layout.family.lowerBound) AND \(layout.family.upperBound)
      """
    }
  }

  private static let aggregates = [
    "sum:": "sum", "min:": "min", "max:": "max", "average:": "avg",
  ]

  /// A path through one relationship.
  private static func parts(_ path: String) -> (first: String, last: String)? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  private func attribute(_ name: String, _ layout: EntityLayout) -> String? {
    layout.column(named: name)?.name
  }

  private func destination(_ name: String, _ layout: EntityLayout) -> EntityLayout? {
    guard let entity = schema.model.entity(named: layout.name) else { return nil }
    return schema.model.relationship(named: name, of: entity)
      .flatMap { schema.entity(named: $0.relationship.destination) }
  }

  private func related(_ path: String, _ layout: EntityLayout) -> String? {
    guard let parts = Self.parts(path), case .toOne(let storage) = layout[parts.first],
      let destination = destination(parts.first, layout),
      let column = attribute(parts.last, destination)
    else { return nil }
    return "SELECT d.\(column) FROM main.\(destination.table) AS d "
      + "WHERE d.Z_PK = t.\(storage.key.name)"
  }

  /// The objects that a relationship leads to, `d`.
  private func many(
    _ name: String, _ layout: EntityLayout
  ) -> (from: String, destination: EntityLayout)? {
    guard let destination = destination(name, layout) else { return nil }
    switch layout[name] {
    case .toMany(let storage):
      return (
        "FROM main.\(storage.table) AS d WHERE d.\(storage.key.name) = t.Z_PK", destination
      )
    case .manyToMany(let storage):
      return (
        "FROM main.\(storage.table) AS j JOIN main.\(destination.table) AS d "
          + "ON d.Z_PK = j.\(storage.destination) WHERE j.\(storage.source) = t.Z_PK", destination
      )
    default: return nil
    }
  }
}
