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
    let gone = GoneNames(report.difference.entities.filter { $0.change == .removed }.map(\.name))
    return report.difference.entities.filter { $0.change == .added }.compactMap { new in
      gone.first(like: new.name).map { remark(new.name, was: $0) }
    }
  }

  private static func properties(
    _ report: ModelDifferenceReport
  ) -> [ModelDifferenceReport.Remark] {
    // Only properties of one entity, kind and type are compared.
    func group(_ changed: ModelDifferenceReport.ChangedProperty) -> [String] {
      let type = (changed.old ?? changed.new).map(PropertyText.type)
      return [
        String(changed.subject.prefix { $0 != "." }), changed.difference.kind.rawValue, type ?? "",
      ]
    }
    let all = report.changedProperties
    let gone = Dictionary(grouping: all.filter { $0.difference.change == .removed }, by: group)
      .mapValues { GoneNames($0.map(\.difference.name)) }
    return all.filter { $0.difference.change == .added }.compactMap { added in
      gone[group(added)]?.first(like: added.difference.name).map { remark(added.subject, was: $0) }
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
}

/// Names that are gone.
///
/// A look at the letters of two rules most of them out: a model may have a thousand.
private struct GoneNames {
  private let names: [String]
  private let outlines: [(letters: PlainName.Outline, slips: Int)]

  init(_ names: [String]) {
    self.names = names
    outlines = names.map {
      (PlainName($0).outline, NearestName.slips(in: $0.lowercased().count))
    }
  }

  /// The first that another name may well be: a few slips apart, or one within the other.
  func first(like new: String) -> String? {
    let letters = PlainName(new).outline
    for (place, old) in outlines.enumerated()
    where old.letters.mayBeNear(letters, slips: old.slips) && areAlike(names[place], new) {
      return names[place]
    }
    return nil
  }

  private func areAlike(_ old: String, _ new: String) -> Bool {
    let (first, second) = (old.lowercased(), new.lowercased())
    return NearestName.of(first, among: [second]) != nil || first.contains(second)
      || second.contains(first)
  }
}
