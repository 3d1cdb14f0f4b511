internal import CoreDataStore
internal import SQLite

/// The way `computed`: how the rows of one source entity become rows of the target, one for one,
/// where a script computes some values and everything else comes from the mapping.
///
/// Keys are kept, so that no association has to be noted. A ``ComputedRowPass`` moves the rows.
package struct ComputedRows {
  /// A column of the source that goes into a parameter of the target.
  package struct Copy: Sendable {
    /// The column in the source statement.
    package let column: Int
    /// The parameter of the target statement.
    package let parameter: Int
    /// Whether ``ComputedRowPass/change(_:key:)`` has to make the value.
    package let isChanged: Bool
  }

  package struct Chunk: Sendable {
    /// How many rows were read.
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

  let columns: ComputedRowColumns

  /// The rows of a scripted entity; nil where each object has to be made by itself: it gets a new
  /// key, or the script has a value for what has no column.
  ///
  /// - Parameters:
  ///   - entity: The source entity.
  ///   - pair: The source and the new store.
  ///   - narrowing: What a row must meet besides the mapping's conditions.
  ///   - computed: The attributes of the target that the script computes.
  ///   - reads: The attributes of the source that it is given.
  ///   - areCompared: Whether the values are compared with those of rows that are there, and no
  ///     row is made.
  /// - Throws: ``Failure`` for a condition that the source cannot meet.
  package init?(
    of entity: String, _ pair: some StorePair, narrowing: String = "", computed: [String],
    reads: Set<String>, areCompared: Bool = false
  ) throws {
    guard let object = pair.impliedMapping(of: entity),
      let target = pair.targetSchema.entity(named: object.target), !target.isAbstract
    else { return nil }
    var columns = ComputedRowColumns(
      try RowExpressions(pair, object), narrowing: narrowing)
    guard columns.add(computed: computed, pair) else { return nil }
    if !areCompared { columns.addCopies() }
    guard columns.add(reads: reads) else { return nil }
    (self.entity, targetEntity, self.columns) = (entity, object.target, columns)
  }

  /// What goes over as it is or changed.
  package var copies: [Copy] { columns.copies }

  /// The column that holds an attribute of the source.
  package func column(of attribute: String) -> Int? {
    columns.expressions.source.column(named: attribute).flatMap { columns.columns[$0.name] }
  }

  /// The parameter of a computed attribute.
  package func parameter(of attribute: String) -> Int? { columns.parameters[attribute]?.place }

  /// How a second connection reads values of these attributes; nil where it cannot.
  package func selection(
    of attributes: Set<String>, _ builder: StoreBuilder
  ) throws -> ComputedRowSelection? {
    try ComputedRowSelection(columns.expressions, builder, attributes: attributes)
  }
}

extension ScriptedCopy {
  /// Has the next rows moved, where the script computes values alone; false when there are none
  /// left.
  package func chunk(
    of rows: ComputedRows, state: () throws -> [UInt8]?,
    _ body: (ComputedRowPass, ChunkLimits) throws -> ComputedRows.Chunk
  ) throws -> Bool {
    try chunk(state) {
      let before = try builder.size()
      defer { reader.leave() }
      let pass = try ComputedRowPass(rows, after: row.last, builder, reader)
      let moved = try body(pass, pace.limits)
      var next = row
      next.rows += moved.rows
      next.made += moved.rows
      if moved.rows > 0 { next.last = moved.last }
      next.isDone = moved.isDone
      next.bytes += max(0, try builder.size() - before)
      return next
    }
  }
}
