import CoreDataStore
internal import StoreMigration

/// Decides how the store of a step begins.
///
/// On top of the source's pages only what changes is written; it pays where a good part of them
/// stays as it is. The rest leaves free pages behind, which what is rebuilt goes into. Where the
/// new store has to be a file of its own, it begins as a copy of the pages.
struct StartPlanner {
  let mapping: Mapping
  let source: StoreSchema
  let target: StoreSchema
  let data: SourceData
  /// Why the new store has to be a file of its own before it takes the old one's place; nil where
  /// it has not.
  let fileReason: String?
  /// Whether its file is renamed over the old one's.
  let isRenamed: Bool

  /// The part of a store that must stay to begin with its pages: a third.
  private static let leastShare = 1.0 / 3

  /// The start that a stage asks for, or the better one, and the tables that can stay as they are;
  /// nil where only a store shows them.
  func start(
    _ wanted: StageDeclarations.Start
  ) throws -> (start: PlannedStart, staying: Set<String>?) {
    let kept = try kept()
    return (start(wanted, kept), kept?.tables)
  }

  private func start(
    _ wanted: StageDeclarations.Start, _ kept: (tables: Set<String>, obstacle: String?)?
  ) -> PlannedStart {
    let asked = PlannedStart.Way(rawValue: wanted.rawValue)
    if asked == .empty { return start(.empty, "the stage copy says so") }
    guard let (kept, obstacle) = kept else {
      return start(asked, "a store shows whether a third of it stays as it is")
    }
    if let obstacle { return start(.empty, obstacle) }
    guard !kept.isEmpty else { return start(.empty, "no table stays as it is") }
    let share = share(of: kept)
    let percent = Int((share * 100).rounded(.down))
    let stays = "\(percent) % of it stays as it is"
    guard asked == nil, share >= Self.leastShare else { return start(asked ?? .empty, stays) }
    if let fileReason { return start(.clone, "\(stays); \(fileReason)") }
    return start(
      .overlay, isRenamed ? "\(stays); it is written as one file before that is renamed" : stays)
  }

  private func start(_ how: PlannedStart.Way?, _ why: String) -> PlannedStart {
    PlannedStart(how: how, why: why, isFile: fileReason != nil)
  }

  /// The tables that stay, and what stands in the way of a clone; nil without a store.
  private func kept() throws -> (tables: Set<String>, obstacle: String?)? {
    switch data {
    case .unknown: return nil
    case .store(let store, let schema, _):
      let kept = try store.keptTables(of: schema, target, mapping)
      // Rows that no entity accounts for stay behind: their table has to be rebuilt.
      let left = source.tables.filter { $0.entities.count > 1 && data.strays(of: $0.root) > 0 }
      return (kept.names.subtracting(left.map(\.name)), kept.obstacle)
    case .after:
      // The step before makes it: its tables are those of its model.
      let same = mapping.objects.filter(\.tableIsSame).compactMap {
        source.entity(named: $0.source)
      }
      return (Set(same.map(\.table)), nil)
    }
  }

  /// The part of the store's bytes that stays, or of the objects where bytes are not known.
  ///
  /// A later step is taken to find what the first one's store has: most of it may be links.
  private func share(of kept: Set<String>) -> Double {
    let layouts = source.entities.filter { !$0.isAbstract }
    let changed = layouts.filter { !kept.contains($0.table) }
    let bytes = changed.compactMap { data.firstBytes(of: $0.name) }
    if let all = data.storeBytes, bytes.count == changed.count {
      return max(0, 1 - Double(bytes.reduce(0, +)) / Double(max(all, 1)))
    }
    func rows(_ layouts: [EntityLayout]) -> Double {
      layouts.reduce(0) { $0 + Double(data.rows(of: $1.name) ?? 0) }
    }
    let all = rows(layouts)
    return all == 0 ? 0 : 1 - rows(changed) / all
  }
}
