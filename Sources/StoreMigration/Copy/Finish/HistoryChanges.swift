internal import CoreDataStore
internal import SQLite

/// What the rows of ACHANGE become.
struct HistoryChanges {
  /// What happens to the changes of one source entity's objects.
  private struct Fate {
    let source: Int
    /// The target entity's number; nil where each object has its own.
    let target: Int?
    /// Whether the objects have other keys.
    let isReassigned: Bool
    /// Whether the entity has the same properties, so that the bits of ZCOLUMNS mean the same.
    let keepsColumns: Bool
    /// Whether the same attributes are preserved after deletion.
    let keepsTombstones: Bool
  }

  private let fates: [Fate]
  /// What is lost of the history.
  let warnings: [StoreWarning]

  init(_ builder: StoreBuilder) {
    let (source, target) = (builder.sourceSchema, builder.targetSchema)
    var fates: [Fate] = []
    for layout in source.entities where !layout.isAbstract {
      let isScripted = builder.mapping.fate(of: layout.name) == .scripted
      let object = builder.mapping.objects(from: layout.name)
      let new = object.flatMap { target.entity(named: $0.target) }
      guard isScripted || new?.isAbstract == false else { continue }
      fates.append(
        Fate(
          source: layout.number, target: isScripted ? nil : new?.number,
          isReassigned: isScripted || object?.keys == .renumbered,
          keepsColumns: new.map { $0.properties == layout.properties } ?? false,
          keepsTombstones: new.map {
            Self.preserved($0, target.model) == Self.preserved(layout, source.model)
          } ?? false))
    }
    self.fates = fates
    warnings = Self.warnings(fates, source)
  }

  private static func preserved(_ layout: EntityLayout, _ model: Model) -> [String] {
    guard let entity = model.entity(named: layout.name) else { return [] }
    return model.allAttributes(of: entity).filter(\.isPreservedAfterDeletion).map(\.name)
  }

  private static func warnings(_ fates: [Fate], _ source: StoreSchema) -> [StoreWarning] {
    func names(_ fates: [Fate]) -> String {
      fates.compactMap { source.entity(number: $0.source)?.name }.joined(separator: ", ")
    }
    let columns = fates.filter { !$0.keepsColumns }
    let tombstones = fates.filter { !$0.keepsTombstones }
    return [
      columns.isEmpty
        ? nil
        : StoreWarning(
          "history",
          "Which properties each change was about is not kept for \(names(columns)): the order in "
            + "which Core Data counts them is not known."),
      tombstones.isEmpty
        ? nil
        : StoreWarning(
          "history",
          "The values kept of deleted objects are not kept for \(names(tombstones)), whose "
            + "preserved attributes are others now."),
    ].compactMap(\.self)
  }

  /// Which changes come over: those of objects whose entity and key are known.
  var filter: String {
    guard !fates.isEmpty else { return "0" }
    let cases = fates.map { fate in
      "WHEN \(fate.source) THEN \(fate.isReassigned ? "\(key(fate)) IS NOT NULL" : "1") "
    }
    return "CASE s.ZENTITY \(cases.joined())ELSE 0 END"
  }

  /// The value of a column of the target, as an expression over the source's row, `s`.
  func value(of column: String) -> String {
    switch column {
    case "ZENTITY": value { $0.target.map(String.init) ?? association("entity", $0) }
    case "ZENTITYPK": value { $0.isReassigned ? key($0) : "s.ZENTITYPK" }
    case "ZCOLUMNS": value { $0.keepsColumns ? "s.ZCOLUMNS" : "NULL" }
    case _ where column.hasPrefix("ZTOMBSTONE"):
      value { $0.keepsTombstones ? "s.\(Identifier.quoted(column))" : "NULL" }
    default: "s.\(Identifier.quoted(column))"
    }
  }

  private func value(_ each: (Fate) -> String) -> String {
    guard !fates.isEmpty else { return "NULL" }
    return "CASE s.ZENTITY \(fates.map { "WHEN \($0.source) THEN \(each($0)) " }.joined())END"
  }

  private func key(_ fate: Fate) -> String { association("object", fate) }

  private func association(_ column: String, _ fate: Fate) -> String {
    "(SELECT o.\(column) FROM main.\(BuilderTables.objects) AS o "
      + "WHERE o.source_entity = \(fate.source) AND o.source = s.ZENTITYPK "
      + "ORDER BY o.place, o.object LIMIT 1)"
  }
}
