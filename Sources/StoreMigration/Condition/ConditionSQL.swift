package import CoreDataStore

/// A condition over the properties of one entity, as SQL over one row of its table.
///
/// It means what the same predicate means of objects in memory: a comparison with a missing value
/// is false, so that its `NOT` is true; `!=` holds where there is no value. What SQL cannot say in
/// exactly that meaning is an error.
package struct ConditionSQL: Sendable, Hashable {
  package static let alias = "s"

  /// The expression over the row `s`, without parameters: 1 or 0, never NULL.
  package let sql: String

  /// Reads a condition and translates it.
  ///
  /// - Throws: ``Failure``, naming the nearest property for one that is not there.
  package init(_ text: String, layout: EntityLayout, model: Model) throws {
    let translation = ConditionTranslation(layout: layout, model: model)
    do {
      sql = try translation.sql(PredicateParser.predicate(text))
    } catch {
      throw Failure(
        .misuse, what: "cannot use the condition", subject: "entity \(layout.name), \"\(text)\"",
        why: error.why, remedy: error.remedy)
    }
  }
}
