package import CoreDataStore
internal import SQLite

/// The rows of one chunk on their way: a statement that reads them, and one that makes them, or
/// compares them with those that a run has staged.
///
/// The caller moves the rows from the one into the other; here is what it needs for that.
package final class ComputedRowPass {
  /// Which column goes where.
  package let rows: ComputedRows

  private let builder: StoreBuilder
  private let reader: SourceReader
  private let source: Statement
  private let target: Statement
  private let comparison: (any StagedRowComparing)?
  private let last: Int64?

  /// The rows after a key, or all.
  init(
    _ rows: ComputedRows, after last: Int64?, _ builder: StoreBuilder, _ reader: SourceReader
  ) throws {
    (self.rows, self.builder, self.reader, self.last) = (rows, builder, reader, last)
    let connection = builder.connection
    source = try connection.prepare(rows.columns.selection, cached: true)
    comparison =
      try builder.isComparing ? builder.staged?.comparison(of: rows, connection) : nil
    target = try comparison?.statement ?? connection.prepare(rows.columns.insertion, cached: true)
    try source.bind(rows.columns.expressions.bindings + [.behind(last)])
  }

  /// Where the statements' handles are; good as long as this lives.
  package var addresses: (source: UInt, target: UInt) { (source.address, target.address) }

  /// The current object, whose values need no search.
  package func object(_ key: Int64) -> SourceObject {
    let id = ObjectID(entity: rows.entity, key: key)
    reader.stand(on: id, of: source, rows.columns.columns)
    return SourceObject(id, reader)
  }

  /// Binds what a column's value becomes on its way.
  package func change(_ place: Int, key: Int64) throws {
    guard let change = rows.columns.changes[place] else { return }
    let copy = rows.copies[place]
    try bind(try change.value(of: try source.row.value(copy.column), key: key), at: copy.parameter)
  }

  /// Binds the value of a computed attribute; false when the attribute holds no such value.
  package func bind(_ value: AttributeValue, to attribute: String) throws -> Bool {
    guard let (place, storage) = rows.columns.parameters[attribute],
      let stored = storage.stored(
        storage.isExternal ? try placed(value, attribute, place) : value)
    else { return false }
    try bind(stored, at: place)
    return true
  }

  /// Notes what the statement that compares has found of the current row.
  package func takeDifference() throws { try comparison?.take() }

  /// Notes that the script leaves out the object of a key.
  package func leaveOut(_ key: Int64) throws { try comparison?.leaveOut(key) }

  /// Notes how many rows the script has made values for.
  package func note(made count: Int) { comparison?.note(count) }

  private func placed(
    _ value: AttributeValue, _ attribute: String, _ place: Int
  ) throws -> AttributeValue {
    if let comparison { return try comparison.placed(value, place, of: source.row.integer(0) ?? 0) }
    do {
      return try builder.external.placed(value)
    } catch {
      throw Failure(
        error, what: "cannot put a large value into a file",
        subject: "entity \(rows.targetEntity), attribute \(attribute)")
    }
  }

  private func bind(_ value: Value, at parameter: Int) throws {
    try builder.telling("cannot copy the objects", "entity \(rows.entity)") {
      try target.bind(value, at: parameter)
    }
  }

  /// Why SQLite would not read the last row.
  package var sourceError: Failure {
    let error = source.error()
    let source = rows.columns.expressions.source
    let table = LongValue(builder.connection, table: source.table, in: "source")
    return Failure(
      error, what: "cannot copy the objects",
      subject: table.subject("entity \(rows.entity)", error, after: last))
  }

  /// Why SQLite would not make the object of this key.
  package func targetError(_ key: Int64) -> Failure {
    Failure(
      target.error(), what: "cannot make an object",
      subject: "entity \(rows.targetEntity), Z_PK \(key)")
  }
}
