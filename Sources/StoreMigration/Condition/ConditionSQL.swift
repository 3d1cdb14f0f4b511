package import CoreDataStore
internal import SQLite

/// A condition over the properties of one entity, as SQL over one row of its table.
///
/// It means what the same predicate means of objects in memory: a comparison with a missing value
/// is false, so that its `NOT` is true; `!=` holds where there is no value. What SQL cannot say in
/// exactly that meaning is an error.
package struct ConditionSQL: Sendable, Hashable {
  package static let alias = "s"

  /// The expression over the row `s`: 1 or 0, never NULL.
  package let sql: String
  /// The values of its parameters `?`, in their order; none where the constants stand in the text.
  let values: [Value]

  /// Reads a condition and translates it, without parameters.
  ///
  /// - Throws: ``Failure``, naming the nearest property for one that is not there.
  package init(_ text: String, layout: EntityLayout, model: Model) throws {
    try self.init(
      PredicateParser.predicate(text), text, ConditionTranslation(layout: layout, model: model))
  }

  /// Translates a predicate whose constants are bound, so that a text may be as long as any value
  /// and have a NUL in it, and conditions of one form share a prepared statement.
  ///
  /// - Throws: ``Failure``, naming the nearest property for one that is not there.
  init(binding predicate: ModelPredicate, layout: EntityLayout, model: Model) throws {
    try self.init(
      predicate, predicate.description,
      ConditionTranslation(
        layout: layout, model: model, parameters: ConditionTranslation.Parameters()))
  }

  private init(
    _ predicate: ModelPredicate, _ text: @autoclosure () -> String,
    _ translation: ConditionTranslation
  ) throws {
    do {
      sql = try translation.sql(predicate)
      values = translation.parameters?.values ?? []
    } catch {
      let layout = translation.layout
      throw Failure(
        .misuse, what: "cannot use the condition",
        subject: "entity \(layout.name), where \(text())",
        why: error.why, remedy: error.remedy)
    }
  }
}
