internal import CoreDataStore

extension LintRule {
  /// What users have and the new version has no place for.
  static let lossy = [
    entityRemoved, attributeRemoved, relationshipRemoved, attributeNarrowed, attributeUnstored,
    relationshipNarrowed, relationshipRedirected, orderLost, uniquenessAdded,
  ]

  private static let entityRemoved = LintRule(
    "entity-removed", .lossy, "An entity is gone, and its objects with it.",
    example: (
      #"<entity name="Note"/><entity name="Draft"/>"#, #"<entity name="Note"/>"#
    )
  ) { report in
    report.difference.entities.filter {
      $0.change == .removed && report.source.entity(named: $0.name)?.isAbstract == false
    }.map { .init(subject: $0.name, words: "the entity is gone, and its objects with it") }
  }

  private static let attributeRemoved = LintRule(
    "attribute-removed", .lossy, "A stored attribute is gone, and its values with it.",
    example: (
      #"<entity name="Note"><attribute name="done" attributeType="Boolean"/></entity>"#,
      #"<entity name="Note"/>"#
    )
  ) { report in
    removed(report) { ($0 as? Attribute)?.derivation == nil && $0 is Attribute }.map {
      .init(subject: $0.subject, words: "the values are gone: \($0.words)")
    }
  }

  private static let relationshipRemoved = LintRule(
    "relationship-removed", .lossy, "A relationship is gone, and its links with it.",
    example: (
      """
      <entity name="Note">
        <relationship name="tag" optional="YES" maxCount="1" destinationEntity="Tag"/>
      </entity>
      <entity name="Tag"/>
      """, #"<entity name="Note"/><entity name="Tag"/>"#
    )
  ) { report in
    removed(report) { $0 is Relationship }.map {
      .init(subject: $0.subject, words: "the links are gone: \($0.words)")
    }
  }

  /// The stored properties that are gone and meet a condition.
  private static func removed(
    _ report: ModelDifferenceReport, _ condition: (any Property) -> Bool
  ) -> [ModelDifferenceReport.Remark] {
    report.changedProperties.compactMap { subject, difference, old, _ in
      guard difference.change == .removed, let old, !old.isTransient, condition(old) else {
        return nil
      }
      return .init(subject: subject, words: PropertyText.summary(of: old))
    }
  }

  private static let attributeNarrowed = LintRule(
    "attribute-narrowed", .lossy,
    "An attribute gets a type that cannot hold every value of the old one: a fraction in an "
      + "integer, 70,000 in an Integer 16.",
    example: (
      #"<entity name="Note"><attribute name="rank" attributeType="Integer 64"/></entity>"#,
      #"<entity name="Note"><attribute name="rank" attributeType="Integer 16"/></entity>"#
    )
  ) { report in
    report.attributes { old, new in
      guard old.type != new.type, InferenceRules.isCarried(old.type, to: new.type),
        !holdsAll(of: old.type, new.type)
      else { return nil }
      return "not every \(old.type.name) has a place in \(new.type.name)"
    }
  }

  /// The types of numbers, with the bits of a whole number that each holds exactly; a truth value
  /// is 0 or 1, and a Decimal has 38 digits.
  private static let wholeBits: [AttributeType: Int] = [
    .boolean: 1, .integer16: 16, .integer32: 32, .integer64: 64, .float: 24, .double: 53,
    .decimal: 126,
  ]

  private static func holdsAll(of old: AttributeType, _ new: AttributeType) -> Bool {
    guard let from = wholeBits[old], let to = wholeBits[new], from <= to else { return false }
    let fractions: Set<AttributeType> = [.float, .double, .decimal]
    return !fractions.contains(old) || fractions.contains(new)
  }

  private static let attributeUnstored = LintRule(
    "attribute-unstored", .lossy,
    "An attribute becomes transient or derived: the values that users entered are gone.",
    example: (
      #"<entity name="Note"><attribute name="size" attributeType="Integer 64"/></entity>"#,
      """
      <entity name="Note">
        <attribute name="size" attributeType="Integer 64" transient="YES"/>
      </entity>
      """
    )
  ) { report in
    report.attributes { old, new in
      guard !old.isTransient, old.derivation == nil else { return nil }
      if new.isTransient { return "it becomes transient, and the stored values are gone" }
      return new.derivation == nil ? nil : "it becomes derived, and the stored values are gone"
    }
  }

  private static let relationshipNarrowed = LintRule(
    "relationship-narrowed", .lossy,
    "A to-many relationship becomes to-one: all links of an object but one are gone.",
    example: (toTag(#"maxCount="5""#), toTag(#"maxCount="1""#))
  ) { report in
    report.relationships { old, new in
      old.isToMany && !new.isToMany && !old.isTransient
        ? "it leads to one object now: all links but one are gone" : nil
    }
  }

  private static let relationshipRedirected = LintRule(
    "relationship-redirected", .lossy,
    "A relationship leads to another entity: the objects that it led to are not of that entity.",
    example: (
      toTag(#"maxCount="1""#),
      toTag(#"maxCount="1""#).replacing(#"Entity="Tag""#, with: #"Entity="Note""#)
    )
  ) { report in
    report.relationships { old, new in
      guard !old.isTransient, !new.isTransient, let place = report.place(of: old.destination),
        !place.contains(new.destination)
      else { return nil }
      return "its links are gone: it led to \(old.destination), and leads to \(new.destination)"
    }
  }

  private static let orderLost = LintRule(
    "order-lost", .lossy, "A relationship is no longer ordered: the users' order is gone.",
    example: (toTag(#"maxCount="5" ordered="YES""#), toTag(#"maxCount="5""#))
  ) { report in
    report.relationships { old, new in
      old.isOrdered && !new.isOrdered ? "the order of its objects is gone" : nil
    }
  }

  private static let uniquenessAdded = LintRule(
    "uniqueness-added", .lossy,
    "A new uniqueness constraint: of objects that share the values, only one can stay.",
    example: (
      #"<entity name="Tag"><attribute name="name" attributeType="String"/></entity>"#,
      """
      <entity name="Tag"><attribute name="name" attributeType="String"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      """
    )
  ) { report in
    report.difference.entities.flatMap { entity -> [ModelDifferenceReport.Remark] in
      guard entity.change != .added, let new = report.target.entity(named: entity.name),
        let old = report.source.entity(named: entity.from ?? entity.name)
      else { return [] }
      let added = new.uniquenessConstraints.filter { !old.uniquenessConstraints.contains($0) }
      return added.map {
        .init(
          subject: entity.name,
          words: "of objects that share \($0.joined(separator: " + ")) one alone can stay")
      }
    }
  }

  /// A note that leads to tags, in the XML of a model.
  static func toTag(_ traits: String) -> String {
    """
    <entity name="Note">
      <relationship name="tag" optional="YES" \(traits) destinationEntity="Tag"/>
    </entity>
    <entity name="Tag"/>
    """
  }
}

extension ModelDifferenceReport {
  /// The entity that an entity of the older version has become, and those that it inherits from;
  /// nil when it is gone.
  fileprivate func place(of old: String) -> [String]? {
    let found = difference.entities.first {
      ($0.from ?? $0.name) == old && $0.change != .added && $0.change != .removed
    }
    guard let new = found.flatMap({ target.entity(named: $0.name) }) else { return nil }
    return target.lineage(of: new).map(\.name)
  }
}
