package import CoreDataStore

/// The way in which the objects of one source entity get into the new store.
///
/// The planner decides it, `plan` prints it, and the run obeys it: a file a way, in `Ways`.
package enum CopyWay: String, Sendable, Hashable, CaseIterable {
  /// Their table is there from the start, since the new store begins as a clone of the source.
  case kept
  /// Their table is moved as a whole, as raw records.
  case moved
  /// SQL copies their rows, with the values that the mapping says.
  case copied
  /// Functions of a script compute values of rows that are copied otherwise.
  case computed
  /// A script makes objects, one object of the source at a time.
  case made

  /// Whether the table is in the new store exactly as it is in the source.
  package var isWholeTable: Bool { self == .kept || self == .moved }

  /// The words with which a plan shows it.
  package var words: String {
    switch self {
    case .kept: "the table stays in the clone, untouched"
    case .moved: "the table is moved as a whole"
    case .copied: "SQL copies the rows"
    case .computed: "SQL copies the rows, and the script computes values"
    case .made: "the script makes the objects, one by one"
    }
  }
}

/// Decides the way of each entity of a step.
package struct CopyWays {
  private let pair: MappedSource
  private let claims: [String: ScriptClaim]
  private let start: StoreStart
  private let staying: Set<String>

  /// The ways of a step.
  ///
  /// - Parameters:
  ///   - source: The source's schema.
  ///   - target: The new store's schema.
  ///   - mapping: The mapping of the step.
  ///   - scripts: What scripts do themselves.
  ///   - start: How the new store begins.
  ///   - staying: The tables of the source that can stay as they are.
  package init(
    from source: StoreSchema, to target: StoreSchema, _ mapping: Mapping, scripts: [ScriptClaim],
    start: StoreStart, staying: Set<String>
  ) {
    pair = MappedSource(sourceSchema: source, targetSchema: target, mapping: mapping)
    claims = Dictionary(scripts.map { ($0.entity, $0) }) { first, _ in first }
    (self.start, self.staying) = (start, staying)
  }

  /// The way of an entity's objects; nil for those that do not travel.
  package func way(of entity: String) throws -> CopyWay? {
    if let claim = claims[entity] { return try way(of: claim) }
    guard let object = pair.mapping.objects(from: entity), !object.isAbstract else { return nil }
    guard staying.contains(try pair.sourceLayout(entity).table) else { return .copied }
    return switch start {
    case .overlay, .clone: .kept
    case .empty, .logged: .moved
    }
  }

  private func way(of claim: ScriptClaim) throws -> CopyWay {
    guard !claim.makesObjects,
      try ComputedRows(
        of: claim.entity, pair, computed: Array(claim.attributes), reads: claim.reads)
        != nil
    else { return .made }
    return .computed
  }
}

// The ways of a store that is being built.
extension StoreBuilder {
  /// Notes the way of each entity's objects.
  ///
  /// A table that was planned to travel as a whole, and is found to hold what its entities do not
  /// account for, is copied row by row.
  func noteWays(_ kept: KeptTables?, _ moving: KeptTables?) throws {
    for object in mapping.objects where !object.isAbstract {
      let way: CopyWay =
        kept?.counts[object.source] != nil
        ? .kept : moving?.counts[object.source] != nil ? .moved : .copied
      try record(
        ProgressRow(unit: Self.unit(ofWay: object.source), state: Array(way.rawValue.utf8)))
    }
  }

  private static func unit(ofWay entity: String) -> String { "way \(entity)" }

  private func way(of object: ObjectMapping) throws -> CopyWay {
    let state = try progress(of: Self.unit(ofWay: object.source))?.state
    return state.flatMap { CopyWay(rawValue: String(decoding: $0, as: UTF8.self)) } ?? .copied
  }

  /// The objects of a mapping, on their way.
  package func copy(
    of object: ObjectMapping, limits: ChunkLimits = ChunkLimits()
  ) throws -> any EntityCopy {
    switch try way(of: object) {
    case .kept: try KeptTable(self, object)
    case .moved: try MovedTable(self, object)
    case .copied, .computed, .made: try CopiedRows(self, object, limits: limits)
    }
  }

  /// Whether the script that is given an entity's objects computes values of rows; as it was
  /// planned, or as far as it can where there is no plan.
  package func computesRows(of entity: String) -> Bool {
    planned[entity].map { $0 == .computed } ?? true
  }
}
