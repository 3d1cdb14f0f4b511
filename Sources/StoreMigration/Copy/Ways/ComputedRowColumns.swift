internal import CoreDataStore
internal import SQLite

/// Which columns are read and which are written where a script computes values of a row.
struct ComputedRowColumns {
  let expressions: RowExpressions
  private(set) var copies: [ComputedRows.Copy] = []
  /// What is done to the values of ``copies``, in their order.
  private(set) var changes: [ValueChange?] = []
  /// The place of each column of the source among those that are read.
  private(set) var columns = ["Z_PK": 0]
  /// The parameter of each computed attribute, and how its values lie there.
  private(set) var parameters: [String: (place: Int, storage: AttributeStorage)] = [:]
  /// The columns of the computed attributes, in the order of their parameters.
  private(set) var computed: [StoreColumn] = []

  private let narrowing: String
  private var values = ["s.Z_PK"]
  private var names = ["Z_PK"]

  /// `narrowing` is what a row must meet in addition to the mapping's conditions.
  init(_ expressions: RowExpressions, narrowing: String) {
    (self.expressions, self.narrowing) = (expressions, narrowing)
    copies = [ComputedRows.Copy(column: 0, parameter: Self.key, isChanged: false)]
    changes = [nil]
  }

  /// Adds what the script computes; false for an attribute that holds none of its values.
  mutating func add(computed: [String], _ pair: some StorePair) -> Bool {
    for name in computed {
      let target = expressions.target
      guard let column = target.column(named: name),
        let attribute = pair.targetSchema
          .model.attribute(name, ofEntity: target.name), attribute.derivation == nil
      else { return false }
      self.computed.append(column)
      names.append(column.name)
      parameters[name] = (names.count, AttributeStorage(of: attribute))
    }
    return true
  }

  /// Adds what the script does not compute.
  mutating func addCopies() {
    let computed = Set(computed.map(\.name))
    for column in expressions.columns where !computed.contains(column.column) {
      names.append(column.column)
      copies.append(
        ComputedRows.Copy(
          column: place(of: column.sql), parameter: names.count, isChanged: column.change != nil))
      changes.append(column.change)
    }
  }

  /// Adds what the script reads; false for an attribute that has no column.
  mutating func add(reads: Set<String>) -> Bool {
    for name in reads.sorted() {
      switch expressions.source[name] {
      case .attribute(let column):
        columns[column.name] = place(of: "s.\(Identifier.quoted(column.name))")
      case .notStored: return false
      case .toOne, .toMany, .manyToMany, nil: continue
      }
    }
    return true
  }

  /// The parameter of the key, before those of the values.
  static let key = 1

  private mutating func place(of sql: String) -> Int {
    if let known = values.firstIndex(of: sql) { return known }
    values.append(sql)
    return values.count - 1
  }

  /// The statement that reads the rows, by their keys.
  var selection: String {
    let conditions = expressions.conditions.map { " AND (\($0))" } ?? ""
    return """
      SELECT \(values.joined(separator: ", "))
      FROM \(Identifier.quoted(expressions.source.table, in: "source")) AS s
      WHERE s.Z_ENT = \(expressions.source.number)
      AND s.Z_PK > ?\(expressions.bindings.count + 1)\(conditions)\(narrowing) ORDER BY s.Z_PK
      """
  }

  /// The statement that makes one row.
  var insertion: String {
    """
    INSERT INTO \(Identifier.quoted(expressions.target.table, in: "main"))
    (\(names.map { Identifier.quoted($0) }.joined(separator: ", ")))
    VALUES (\(names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
    """
  }
}
