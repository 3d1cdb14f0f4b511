internal import CoreDataStore
package import StoreMigration

/// What a comparison of two stores found, as every form of report shows it.
package struct DifferenceReport: Sendable {
  /// One of the two stores.
  package struct Side: Sendable, Hashable {
    /// The path, as it was given.
    package let path: String
    /// The name of the model's version.
    package let version: String

    /// A side by its parts.
    package init(path: String, version: String) {
      self.path = path
      self.version = version
    }
  }

  /// A table that the caller adds to the report, such as what was lost.
  package struct Section: Sendable, Hashable {
    /// The heading.
    package let title: String
    /// A sentence or two below it.
    package let note: String
    package let columns: [String]
    /// The rows, each with a cell a column.
    package let rows: [[String]]

    /// A section by its parts.
    package init(title: String, note: String = "", columns: [String], rows: [[String]]) {
      self.title = title
      self.note = note
      self.columns = columns
      self.rows = rows
    }
  }

  /// The store as it was.
  package let before: Side
  /// The store as it is.
  package let after: Side
  /// What happened between the models; nil when they are one.
  package let models: ModelDifferenceReport?
  /// The counts.
  package let difference: StoreDifference
  /// The changes, by what happened: computed once for all forms.
  package let groups: [ChangeGroup]
  /// The objects that are reported one by one, by the order of the comparison.
  package let objects: ReportedObjects
  /// The small pictures among the values.
  package let images: [ReportedImage]
  /// The entries of the metadata that differ.
  package let metadata: [ReportedMetadata]
  /// How much of the values is shown.
  package let display: ValueDisplay
  /// What is known of properties that the second store's model has not: in words, by the second
  /// store's entity and the first one's property.
  var given: [String: [String: String]] = [:]
  /// Objects that a run rejected, by entity.
  package var rejected: [String: Int] = [:]
  /// What is added at the end.
  package var sections: [Section] = []
  /// The heading; that of a comparison unless set.
  package var title = "What is different between two stores"
  /// A sentence about what was done, such as that nothing was touched.
  package var remark = ""
  /// The run that made the second store of the first; nil for a comparison of two stores.
  package var run: RunSummary?
  /// What happened to every value and link; nil where nothing was counted.
  package var losses: LossReport?
  /// What is said in place of the verdict that the counts give.
  package var answer: String?

  /// A report of stores that were not compared.
  init(before: Side, after: Side) {
    self.init(
      before: before, after: after, models: nil, difference: StoreDifference(), groups: [],
      objects: ReportedObjects(), images: [], metadata: [], display: .none)
  }

  init(
    before: Side, after: Side, models: ModelDifferenceReport?, difference: StoreDifference,
    groups: [ChangeGroup], objects: ReportedObjects, images: [ReportedImage],
    metadata: [ReportedMetadata], display: ValueDisplay
  ) {
    (self.before, self.after, self.models) = (before, after, models)
    (self.difference, self.groups, self.objects) = (difference, groups, objects)
    (self.images, self.metadata, self.display) = (images, metadata, display)
  }

  /// The tables that a reader is to see first: what is lost, what broke a rule or needs an eye,
  /// and what the caller adds.
  func opening(_ losses: Section?) -> [Section] {
    [losses].compactMap(\.self) + (run.map { RunFacts(summary: $0).urgent } ?? []) + sections
  }

  /// What the first store has and the second has not; nil where there is no such thing.
  var gone: Section? {
    let rows = difference.entities.flatMap { $0.gone(given[$0.name] ?? [:]) }
    guard !rows.isEmpty else { return nil }
    return Section(
      title: "What is gone", note: "The first store has it, and the second has not.",
      columns: ["Property", "Count", "What"],
      rows: rows.map { [$0.name, Quantity.count($0.count), $0.words] })
  }

  /// The tables at the end of a report that has no summary of the run above.
  var closing: [Section] { run.map { RunFacts(summary: $0).closing } ?? [] }

  /// How many objects differ.
  package var changeCount: Int { groups.reduce(0) { $0 + $1.count } }

  /// Whether nothing is different.
  package var isSame: Bool { difference.isSame }

  /// How many objects were the same, changed, added, removed, rejected.
  package var totals: (kept: Int, changed: Int, added: Int, removed: Int, rejected: Int) {
    difference.entities.reduce((0, 0, 0, 0, rejected.values.reduce(0, +))) { sum, entity in
      (
        sum.0 + entity.kept, sum.1 + entity.changed, sum.2 + entity.added, sum.3 + entity.removed,
        sum.4
      )
    }
  }

  /// The whole answer in a sentence or two.
  package var verdict: String {
    if let answer { return answer }
    let (kept, changed, added, removed, rejected) = totals
    guard !isSame else {
      return kept == 0
        ? "No object was compared: there is none, or none that is meant."
        : "The stores hold the same objects with the same values."
    }
    let before = kept + changed + removed
    func number(_ count: Int, _ one: String, _ many: String) -> String? {
      count > 0 ? "\(Quantity.count(count)) \(count == 1 ? one : many)" : nil
    }
    let parts = [
      number(kept, "is the same", "are the same"),
      number(changed, "has other values or links", "have other values or links"),
      number(removed, "is gone", "are gone"),
    ].compactMap(\.self)
    let old = parts.isEmpty ? "" : "Of \(Plural.text(before, "object")), \(Plural.list(parts))."
    let new = number(added, "object is new.", "objects are new.")
    let aside = number(rejected, "was rejected.", "were rejected.")
    let entries = metadata.isEmpty || changeCount > 0 ? nil : "The stores' metadata differs."
    return [old.isEmpty ? nil : old, new, aside, entries].compactMap(\.self).joined(separator: " ")
  }
}

extension ComparedEntity {
  /// What happened to each property that differs, with its full name.
  func properties(_ given: [String: [String: String]]) -> [(name: String, words: String)] {
    let given = given[name] ?? [:]
    return attributes.sorted { NameOrder.precedes($0.key, $1.key) }
      .map { ($0.key, $0.value.words(given[$0.key])) }
      + links.sorted { NameOrder.precedes($0.key, $1.key) }
      .map { ($0.key, $0.value.words(given[$0.key])) }
  }

  /// The objects, values and links that the second store has no more.
  fileprivate func gone(
    _ given: [String: String]
  ) -> [(name: String, count: Int, words: String)] {
    let objects = [(name, removed, "objects removed")]
    let values = attributes.sorted { NameOrder.precedes($0.key, $1.key) }.flatMap { key, counts in
      [
        ("\(name).\(key)", counts.removed, "values \(given[key] ?? "removed with the attribute")"),
        ("\(name).\(key)", counts.emptied, "values emptied"),
      ]
    }
    let links = links.sorted { NameOrder.precedes($0.key, $1.key) }.flatMap { key, counts in
      [
        (
          "\(name).\(key)", counts.removed, "links \(given[key] ?? "removed with the relationship")"
        ),
        ("\(name).\(key)", counts.lost, "links lost"),
      ]
    }
    return (objects + values + links).filter { $0.1 > 0 }
  }
}

/// An object that is reported on its own.
package struct ReportedObject: Sendable {
  /// The number of its group.
  package internal(set) var group: Int
  /// What happened to it.
  package let change: ChangedObject.Change
  /// The entity it is reported under.
  package let entity: String
  /// The object of the first store, or what an added one came of.
  package let source: ObjectID?
  /// The object of the second store.
  package let object: ObjectID?
  package let values: [ReportedChange]
  package let links: [ChangedLink]

  /// Its Z_PK: the first store's, unless it was added.
  package var key: Int64 { (change == .added ? object?.key : source?.key) ?? 0 }
}

/// A value that differs, as far as it is shown.
package struct ReportedChange: Sendable, Hashable {
  package let attribute: String
  package let change: ChangedValue.Change
  /// The value of the first store.
  package let old: ReportedValue
  /// The value of the second store.
  package let new: ReportedValue
}

/// A picture that is small enough to be shown.
package struct ReportedImage: Sendable, Hashable {
  package let kind: ImageKind
  /// The picture's file.
  package let bytes: [UInt8]
}

/// An entry of the metadata that differs, as far as it is shown.
package struct ReportedMetadata: Sendable, Hashable {
  package let key: String
  /// What it was, in words; nil when there was none.
  package let old: String?
  /// What it is, in words; nil when there is none.
  package let new: String?
}
