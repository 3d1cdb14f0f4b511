internal import CoreDataStore

/// One kind of change that a team may forbid in the next version of its model.
///
/// Its name is part of build scripts and lists of allowances: once published it stays. A new rule
/// is a value in the file of its group.
package struct LintRule: Sendable {
  /// What a rule is about; `--fail-on` takes these names as well as those of rules.
  package enum Group: String, CaseIterable, Sendable {
    case lossy, heavyweight, cloudkit, renames

    /// What the rules of the group have in common, in one sentence.
    package var summary: String {
      switch self {
      case .lossy: "Data of users has no place in the new version."
      case .heavyweight: "Core Data cannot infer the migration, or ends it at some objects."
      case .cloudkit: "CloudKit does not support the model, or its production schema the change."
      case .renames: "Something has another name, or seems to have one that the model hides."
      }
    }
  }

  package let name: String
  package let group: Group
  /// What it finds and why that matters, in a sentence or two.
  package let summary: String
  /// Two versions of a model, each as the XML inside of `<model>`, in which it finds something.
  package let example: (before: String, after: String)
  let find: @Sendable (ModelDifferenceReport) -> [ModelDifferenceReport.Remark]

  init(
    _ name: String, _ group: Group, _ summary: String, example: (before: String, after: String),
    find: @escaping @Sendable (ModelDifferenceReport) -> [ModelDifferenceReport.Remark]
  ) {
    self.name = name
    self.group = group
    self.summary = summary
    self.example = example
    self.find = find
  }

  package static let all: [LintRule] = lossy + heavyweight + cloudKit + renames

  /// The rules that a word stands for: its own, or all of its group.
  package static func named(_ word: String) -> [LintRule] {
    all.filter { $0.name == word || $0.group.rawValue == word }
  }

  /// What to put behind an unknown word: the nearest name there is.
  package static func suggestion(for word: String) -> String {
    NearestName.suggestion(for: word, among: Group.allCases.map(\.rawValue) + all.map(\.name))
  }
}

extension ModelDifferenceReport {
  /// A property's difference with what it was and what it is, where it was or is.
  typealias ChangedProperty = (
    subject: String, difference: PropertyDifference, old: (any Property)?, new: (any Property)?
  )

  /// The properties that changed, in entities that are in both versions.
  var changedProperties: [ChangedProperty] {
    difference.entities.flatMap { entity in
      let old = source.entity(named: entity.from ?? entity.name)
      let new = target.entity(named: entity.name)
      return entity.properties.map { property in
        (
          "\(entity.name).\(property.name)", property,
          property.change == .added
            ? nil : Self.property(property, property.from, of: old, in: source),
          property.change == .removed ? nil : Self.property(property, nil, of: new, in: target)
        )
      }
    }
  }

  private static func property(
    _ difference: PropertyDifference, _ from: String?, of entity: Entity?, in model: Model
  ) -> (any Property)? {
    guard let entity else { return nil }
    let name = from ?? difference.name
    return switch difference.kind {
    case .attribute: model.attribute(named: name, of: entity)?.attribute
    case .relationship: model.relationship(named: name, of: entity)?.relationship
    case .fetchedProperty: model.allFetchedProperties(of: entity).sortedFind(name)
    }
  }

  /// The attributes in both versions that a closure has something to say about.
  func attributes(_ words: (Attribute, Attribute) -> String?) -> [Remark] {
    changedProperties.compactMap { subject, _, old, new in
      guard let old = old as? Attribute, let new = new as? Attribute else { return nil }
      return words(old, new).map { Remark(subject: subject, words: $0) }
    }
  }

  /// The relationships in both versions that a closure has something to say about.
  func relationships(_ words: (Relationship, Relationship) -> String?) -> [Remark] {
    changedProperties.compactMap { subject, _, old, new in
      guard let old = old as? Relationship, let new = new as? Relationship else { return nil }
      return words(old, new).map { Remark(subject: subject, words: $0) }
    }
  }

  /// What a closure says of each property's difference.
  func properties(_ words: (PropertyDifference) -> String?) -> [Remark] {
    changedProperties.compactMap { subject, difference, _, _ in
      words(difference).map { Remark(subject: subject, words: $0) }
    }
  }
}
