internal import CoreDataStore

extension LintRule {
  /// What has another name, with a renaming identifier or, by the look of it, without.
  static let renames = [entityRenamed, propertyRenamed, renameUnmarked]

  private static let entityRenamed = LintRule(
    "entity-renamed", .renames,
    "An entity has another name: URIs of its objects that the app has kept lead nowhere.",
    example: (#"<entity name="Tag"/>"#, #"<entity name="Label" elementID="Tag"/>"#)
  ) { report in
    report.difference.entities.filter { $0.change == .renamed }.map {
      .init(
        subject: $0.name,
        words: "it was \($0.from ?? ""): object URIs that the app has kept lead nowhere")
    }
  }

  private static let propertyRenamed = LintRule(
    "property-renamed", .renames,
    "A property has another name: predicates and key paths that the app has kept break.",
    example: (
      #"<entity name="Tag"><attribute name="name" attributeType="String"/></entity>"#,
      """
      <entity name="Tag">
        <attribute name="word" attributeType="String" elementID="name"/>
      </entity>
      """
    )
  ) { report in
    report.properties {
      $0.change == .renamed
        ? "it was \($0.from ?? ""): predicates and key paths that the app has kept break" : nil
    }
  }

  private static let renameUnmarked = LintRule(
    "rename-unmarked", .renames,
    "Something is gone and something alike is new. If it was renamed, the renaming identifier is "
      + "missing, and Core Data drops what users have.",
    example: (
      #"<entity name="Note"><attribute name="phone" attributeType="String"/></entity>"#,
      #"<entity name="Note"><attribute name="telephone" attributeType="String"/></entity>"#
    )
  ) { report in entities(report) + properties(report) }

  private static func entities(
    _ report: ModelDifferenceReport
  ) -> [ModelDifferenceReport.Remark] {
    let gone = report.difference.entities.filter { $0.change == .removed }.map(\.name)
    return report.difference.entities.filter { $0.change == .added }.compactMap { new in
      gone.first { areAlike($0, new.name) }.map { remark(new.name, was: $0) }
    }
  }

  private static func properties(
    _ report: ModelDifferenceReport
  ) -> [ModelDifferenceReport.Remark] {
    let gone = report.changedProperties.filter { $0.difference.change == .removed }
    return report.changedProperties.filter { $0.difference.change == .added }
      .compactMap { added in
        let entity = added.subject.prefix { $0 != "." }
        return gone.first { old in
          old.subject.prefix { $0 != "." } == entity && old.difference.kind == added.difference.kind
            && areAlike(old.difference.name, added.difference.name)
            && old.old.map(PropertyText.type) == added.new.map(PropertyText.type)
        }.map { remark(added.subject, was: $0.difference.name) }
      }
  }

  private static func remark(
    _ subject: String, was old: String
  ) -> ModelDifferenceReport.Remark {
    .init(
      subject: subject,
      words: "\(old) is gone, and is much like it: if it was renamed, give it the renaming "
        + "identifier \(old)")
  }

  /// Whether a name may well be another one: a few slips apart, or one within the other.
  private static func areAlike(_ old: String, _ new: String) -> Bool {
    let (first, second) = (old.lowercased(), new.lowercased())
    return NearestName.of(first, among: [second]) != nil || first.contains(second)
      || second.contains(first)
  }
}
