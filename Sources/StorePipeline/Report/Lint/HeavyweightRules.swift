internal import CoreDataStore

extension LintRule {
  /// What takes more than Core Data's lightweight migration.
  static let heavyweight = [
    entityNotInferable, attributeNotInferable, relationshipNotInferable, valueRequired,
  ]

  private static let entityNotInferable = LintRule(
    "entity-not-inferable", .heavyweight,
    "Core Data cannot infer what to do with an entity: its table is merged with another's, or two "
      + "share a renaming identifier.",
    example: (
      #"<entity name="Note"/><entity name="Task"/>"#,
      """
      <entity name="Item" isAbstract="YES"/>
      <entity name="Note" parentEntity="Item"/>
      <entity name="Task" parentEntity="Item"/>
      """
    )
  ) { report in
    report.difference.entities.compactMap { entity in
      entity.obstacle.map { .init(subject: entity.name, words: $0) }
    }
  }

  private static let attributeNotInferable = LintRule(
    "attribute-not-inferable", .heavyweight,
    "Core Data cannot infer what to do with an attribute, most often because of its new type.",
    example: (
      #"<entity name="Note"><attribute name="rank" attributeType="String"/></entity>"#,
      #"<entity name="Note"><attribute name="rank" attributeType="Integer 16"/></entity>"#
    )
  ) { $0.properties { $0.kind == .attribute ? $0.obstacle : nil } }

  private static let relationshipNotInferable = LintRule(
    "relationship-not-inferable", .heavyweight,
    "Core Data cannot infer what to do with a relationship: it cannot choose one of many.",
    example: (toTag(#"maxCount="5""#), toTag(#"maxCount="1""#))
  ) { $0.properties { $0.kind == .attribute ? nil : $0.obstacle } }

  private static let valueRequired = LintRule(
    "value-required", .heavyweight,
    "Core Data infers the change, and ends the migration at the first object without a value.",
    example: (
      #"<entity name="Note"/>"#,
      #"<entity name="Note"><attribute name="title" attributeType="String"/></entity>"#
    )
  ) { $0.properties(\.condition) }
}
