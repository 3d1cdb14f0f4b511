internal import CoreDataStore
internal import SQLite

/// How the rows of one source entity become rows of the target, one for one, where a script
/// computes some values and everything else comes from the mapping.
///
/// Keys are kept, so that no association has to be noted. A ``ScriptedRowPass`` moves the rows.
package struct ScriptedRows {
  /// A column of the source that goes into a parameter of the target.
  package struct Copy: Sendable {
    /// The column in the source statement.
    package let column: Int
    /// The parameter of the target statement.
    package let parameter: Int
    /// Whether ``ScriptedRowPass/change(_:key:)`` has to make the value.
    package let isChanged: Bool
  }

  package struct Chunk: Sendable {
    /// The rows that were taken up.
    package var rows: Int
    /// The key of the last of them.
    package var last: Int64
    /// Whether there are none left.
    package var isDone: Bool

    /// A chunk in all its parts.
    package init(rows: Int, last: Int64, isDone: Bool) {
      (self.rows, self.last, self.isDone) = (rows, last, isDone)
    }
  }

  /// The source entity's name.
  package let entity: String
  /// The target entity's name.
  package let targetEntity: String

  let columns: ScriptedRowColumns

  /// The rows of a scripted entity; nil where each object has to be made by itself: its key is
  /// given anew, or the script has a value for what has no column.
  ///
  /// - Parameters:
  ///   - entity: The source entity.
  ///   - builder: The store that is being built.
  ///   - computed: The attributes of the target that the script computes.
  ///   - reads: The attributes of the source that it is given.
  /// - Throws: ``Failure`` for a condition that the source cannot meet.
  package init?(
    of entity: String, _ builder: StoreBuilder, computed: [String], reads: Set<String>
  ) throws {
    guard let object = builder.impliedMapping(of: entity),
      let target = builder.targetSchema.entity(named: object.target), !target.isAbstract
    else { return nil }
    var columns = ScriptedRowColumns(
      try RowExpressions(builder, object),
      narrowing: try builder.narrowing(entity, key: "s.Z_PK"))
    guard columns.add(computed: computed, builder), columns.add(reads: reads) else {
      return nil
    }
    (self.entity, targetEntity, self.columns) = (entity, object.target, columns)
  }

  /// What goes over as it is or changed.
  package var copies: [Copy] { columns.copies }

  /// The column that holds an attribute of the source.
  package func column(of attribute: String) -> Int? {
    guard case .attribute(let column) = columns.expressions.source[attribute] else { return nil }
    return columns.columns[column.name]
  }

  /// The parameter of a computed attribute.
  package func parameter(of attribute: String) -> Int? { columns.parameters[attribute]?.place }

  /// How values of these attributes are read beside the copy; nil where they cannot be.
  package func selection(
    of attributes: Set<String>, _ builder: StoreBuilder
  ) throws -> ScriptedRowSelection? {
    try ScriptedRowSelection(columns.expressions, builder, attributes: attributes)
  }
}
