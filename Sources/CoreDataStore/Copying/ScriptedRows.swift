internal import SQLite

/// The rows of one source entity, one target row for each, where a script computes some values and
/// everything else comes from the mapping.
///
/// Whoever runs it moves rows from the source statement into the target statement; here is which
/// column goes where. Keys are kept, so that no association has to be noted.
package final class ScriptedRows {
  /// A column of the source that goes into a parameter of the target.
  package struct Copy: Sendable {
    /// The column in the source statement.
    package let column: Int
    /// The parameter of the target statement.
    package let parameter: Int
    /// Whether ``change(_:key:)`` has to make the value.
    package let isChanged: Bool
  }

  /// What a chunk came to.
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

  /// What goes over as it is or changed.
  package let copies: [Copy]
  /// The target entity's name.
  package let targetEntity: String

  private let copy: ScriptedCopy
  private let source: Statement
  private let target: Statement
  private let expressions: RowExpressions
  private let columns: [String: Int]
  private let changes: [ValueChange?]
  private let parameters: [String: (place: Int, storage: AttributeStorage)]

  /// The rows of a scripted entity; nil where each object has to be made by itself: its key is
  /// given anew, or the script has a value for what has no column.
  ///
  /// - Parameters:
  ///   - computed: The attributes of the target that the script computes.
  ///   - reads: The attributes of the source that it is given.
  package init?(_ copy: ScriptedCopy, computed: [String], reads: Set<String>) throws {
    let construction = copy.construction
    guard let object = construction.impliedMapping(of: copy.entity),
      let target = construction.targetSchema.entity(named: object.target), !target.isAbstract
    else { return nil }
    var layout = ScriptedRowColumns(try RowExpressions(construction, object))
    guard try layout.add(computed: computed, construction), layout.add(reads: reads, construction)
    else { return nil }
    (self.copy, targetEntity) = (copy, object.target)
    expressions = layout.expressions
    (copies, changes, columns) = (layout.copies, layout.changes, layout.columns)
    parameters = layout.parameters
    (source, self.target) = try construction.telling(
      "cannot copy the objects", "entity \(copy.entity)"
    ) {
      (
        try construction.connection.prepare(layout.selection),
        try construction.connection.prepare(layout.insertion)
      )
    }
  }

  /// Where the statements' handles are.
  package var addresses: (source: UInt, target: UInt) { (source.address, target.address) }

  /// The column that holds an attribute of the source.
  package func column(of attribute: String) -> Int? {
    guard case .attribute(let column) = expressions.source[attribute] else { return nil }
    return columns[column.name]
  }

  /// The parameter of a computed attribute.
  package func parameter(of attribute: String) -> Int? { parameters[attribute]?.place }

  /// The object in hand, whose values need no search.
  package func object(_ key: Int64) -> SourceObject {
    let id = ObjectID(entity: copy.entity, key: key)
    copy.reader.stand(on: id, of: source, columns)
    return SourceObject(id, copy.reader)
  }

  /// Binds what a column's value becomes on its way.
  package func change(_ place: Int, key: Int64) throws {
    guard let change = changes[place] else { return }
    let copy = copies[place]
    try bind(try change.value(of: try source.row.value(copy.column), key: key), at: copy.parameter)
  }

  /// Binds the value of a computed attribute; false when the attribute holds no such value.
  package func bind(_ value: AttributeValue, to attribute: String) throws -> Bool {
    guard let (place, storage) = parameters[attribute], let stored = storage.stored(value) else {
      return false
    }
    try bind(stored, at: place)
    return true
  }

  private func bind(_ value: Value, at parameter: Int) throws {
    try telling { try target.bind(value, at: parameter) }
  }

  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    try copy.construction.telling("cannot copy the objects", "entity \(copy.entity)", body)
  }

  /// Why SQLite would not read the last row.
  package var sourceError: StoreError {
    StoreError(source.error(), what: "cannot copy the objects", subject: "entity \(copy.entity)")
  }

  /// Why SQLite would not make the object of this key.
  package func targetError(_ key: Int64) -> StoreError {
    StoreError(
      target.error(), what: "cannot make an object",
      subject: "entity \(targetEntity), Z_PK \(key)")
  }

  /// Goes to before the first row that has not been taken up.
  func begin(after last: Int64) throws {
    try source.bind(expressions.bindings + [.integer(last)])
  }

  /// Lets go of the row in hand.
  func rest() {
    copy.reader.leave()
    source.reset()
    target.clear()
  }
}
