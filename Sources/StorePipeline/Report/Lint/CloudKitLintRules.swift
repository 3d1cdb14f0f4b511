internal import CoreDataStore

extension LintRule {
  /// What CloudKit has against the newer version, and against the change.
  static let cloudKit = ofModel + ofChange

  private static let ofModel = [
    model(
      "cloudkit-default", "A mandatory attribute has no default.",
      example: #"<entity name="Note"><attribute name="title" attributeType="String"/></entity>"#),
    model(
      "cloudkit-mandatory", "A relationship is mandatory.",
      example: toTag(#"maxCount="1""#).replacing(#" optional="YES""#, with: "")),
    model(
      "cloudkit-inverse", "A relationship has no inverse.", example: toTag(#"maxCount="1""#)),
    model(
      "cloudkit-ordered", "A relationship is ordered.",
      example: toTag(#"maxCount="5" ordered="YES""#)),
    model(
      "cloudkit-deny", "A relationship has the delete rule Deny.",
      example: toTag(#"maxCount="1" deletionRule="Deny""#)),
    model(
      "cloudkit-unique", "An entity has a uniqueness constraint.",
      example: """
        <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        """),
  ]

  private static let ofChange = [
    change(
      "cloudkit-type-removed", "A record type cannot be removed from a production schema.",
      example: (#"<entity name="Note"/><entity name="Tag"/>"#, #"<entity name="Note"/>"#)),
    change(
      "cloudkit-type-renamed", "A record type cannot be renamed in a production schema.",
      example: (#"<entity name="Tag"/>"#, #"<entity name="Label" elementID="Tag"/>"#)),
    change(
      "cloudkit-field-removed", "A field cannot be removed: older devices still write it.",
      example: (
        #"<entity name="Tag"><attribute name="name" attributeType="String"/></entity>"#,
        #"<entity name="Tag"/>"#
      )),
    change(
      "cloudkit-field-renamed", "A field cannot be renamed in a production schema.",
      example: (
        #"<entity name="Tag"><attribute name="name" attributeType="String"/></entity>"#,
        """
        <entity name="Tag">
          <attribute name="word" attributeType="String" elementID="name"/>
        </entity>
        """
      )),
    change(
      "cloudkit-field-retyped", "The type of a field cannot change in a production schema.",
      example: (
        #"<entity name="Tag"><attribute name="rank" attributeType="Integer 16"/></entity>"#,
        #"<entity name="Tag"><attribute name="rank" attributeType="Double"/></entity>"#
      )),
  ]

  /// A rule about the newer version alone, whatever it was before.
  private static func model(_ name: String, _ summary: String, example: String) -> LintRule {
    LintRule(name, .cloudkit, summary, example: (#"<entity name="Tag"/>"#, example)) { report in
      report.target.cloudKitObjections.filter { $0.rule == name }.map { .init($0) }
    }
  }

  private static func change(
    _ name: String, _ summary: String, example: (before: String, after: String)
  ) -> LintRule {
    LintRule(name, .cloudkit, summary, example: example) { report in
      report.difference.cloudKitObjections.filter { $0.rule == name }.map { .init($0) }
    }
  }
}
