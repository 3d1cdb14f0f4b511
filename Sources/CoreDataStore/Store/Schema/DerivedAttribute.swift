/// A derived attribute, and the triggers by which Core Data keeps its column.
///
/// The triggers call functions that Core Data alone registers: once they are there, nothing else
/// can insert or change rows of these tables.
package struct DerivedAttribute: Hashable, Sendable {
  package let attribute: PropertyReference
  package let table: String
  package let column: String
  /// The statement that computes it for all objects.
  package let fill: String
  package let triggers: [StoreTrigger]
}

extension DerivedAttribute {
  /// The number of objects that a one-to-many relationship leads to, as framework 1344
  /// keeps it (`count:(pages)`).
  init(
    counting relationship: ToManyStorage, in attribute: PropertyReference, table: String,
    column: String
  ) {
    self.attribute = attribute
    self.table = table
    self.column = column
    let key = relationship.key.name
    let count = "SELECT IFNULL(COUNT(\(key)), 0) FROM \(relationship.table) WHERE \(key)"
    // By its own name the table would be the inner one where objects lead to others of their table.
    fill = "UPDATE \(table) AS t SET \(column) = (\(count) = t.Z_PK)"
    let source = Change(table: table, column: column, property: attribute.property)
    let name = "\(attribute.entity)_\(attribute.property)"
    let parameter = "Z_DA_\(relationship.table)_\(name)_PARAMETER"
    let more = source.set("IFNULL(\(column), 0) + 1", where: "NEW.\(key)")
    let oneMore = source.set("\(column) + 1", where: "NEW.\(key)")
    let oneLess = source.set("\(column) - 1", where: "OLD.\(key)")
    let rows = relationship.table
    triggers = [
      StoreTrigger(
        "\(parameter)_INSERT", after: "INSERT", on: rows, when: "NEW.\(key) NOT NULL", more),
      StoreTrigger(
        "\(parameter)_UPDATE_INCREMENT", after: "UPDATE OF \(key)", on: rows,
        when: "NEW.\(key) NOT NULL", oneMore),
      StoreTrigger(
        "\(parameter)_UPDATE_DECREMENT", after: "UPDATE OF \(key)", on: rows,
        when: "OLD.\(key) NOT NULL", oneLess),
      StoreTrigger(
        "\(parameter)_DELETE", after: "DELETE", on: rows, when: "OLD.\(key) NOT NULL", oneLess),
      StoreTrigger(
        "Z_DA_\(table)_\(name)_SOURCE_INSERT", after: "INSERT", on: table,
        source.set("(\(count) = NEW.Z_PK)", where: "NEW.Z_PK", isInsertion: true)),
    ]
  }

  /// A change of a derived column, reported to Core Data at once.
  private struct Change {
    let table: String
    let column: String
    let property: String

    func set(_ value: String, where key: String, isInsertion: Bool = false) -> [String] {
      let kind = isInsertion ? "InsertUpdated" : "Updated"
      return [
        "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(key)",
        "SELECT NSCoreDataDATrigger\(kind)AffectedObjectValue"
          + "('\(table)', Z_ENT, Z_PK, '\(property)', \(column)) "
          + "FROM \(table) WHERE Z_PK = \(key)",
      ]
    }
  }
}
