/// A derived attribute: what computes its values, and the triggers by which Core Data keeps them.
///
/// The triggers call functions that Core Data alone registers: once they are there, nothing else
/// can insert or change rows of these tables. Framework 1344 shows the words of those that count;
/// the others do the same work in words that may not be Core Data's.
package struct DerivedAttribute: Hashable, Sendable {
  /// What a value is.
  package enum Value: Hashable, Sendable {
    /// SQL over the object's row, `t`.
    case sql(String)
    /// A text, SQL as above, in another form.
    case text(TextForm, of: String)
    /// The time at which the object was saved.
    case now
    /// A number by chance, another one at each saving.
    case random
  }

  /// A form of a text that SQLite has no function for.
  package enum TextForm: String, Hashable, Sendable {
    case canonical = "canonical:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"

    /// The function that Core Data registers for it.
    var function: String {
      switch self {
      case .canonical: "NSCoreDataCanonical"
      case .uppercase: "NSCoreDataToUpper"
      case .lowercase: "NSCoreDataToLower"
      }
    }
  }

  /// A column of a table.
  package struct Column: Hashable, Sendable {
    package let table: String
    package let name: String

    init(_ name: String, of table: String) { (self.table, self.name) = (table, name) }
  }

  /// Where it stands.
  struct Place {
    let table: String
    let column: String
    /// The numbers of the entities that have it, where their entity has a parent.
    let rows: ClosedRange<Int>?
  }

  package let attribute: PropertyReference
  package let table: String
  package let column: String
  package let value: Value
  /// The column of an attribute that the values are computed from; nil where links are counted.
  package let source: Column?
  /// Which rows of the table have it, SQL over the row that `alias` names; nil for all.
  private let rows: ClosedRange<Int>?
  /// None where it is not known how Core Data keeps it.
  package let triggers: [StoreTrigger]

  init(
    _ attribute: PropertyReference, _ storage: Place, _ value: Value, from source: Column?,
    _ triggers: [StoreTrigger]
  ) {
    self.attribute = attribute
    (table, column, rows) = (storage.table, storage.column, storage.rows)
    (self.value, self.source, self.triggers) = (value, source, triggers)
  }

  /// The column that it fills.
  package var filled: Column { Column(column, of: table) }

  /// The condition that a row `t` is of an entity that has the attribute.
  package var condition: String {
    rows.map { "t.Z_ENT BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? "1"
  }

  /// The statement that gives all objects the value of an expression over their row, `t`.
  ///
  /// By its own name the table would be the inner one where objects lead to others of their table.
  package func fill(_ expression: String) -> String {
    "UPDATE main.\(table) AS t SET \(column) = \(expression) WHERE \(condition)"
  }
}
