internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// The objects of a store that wait to be retried, as far as that can be done.
struct WaitingObjects {
  /// Their keys, by their entity in the last step's source.
  let keys: [String: [Int64]]
  /// How many wait that this cannot be done with: another run rejected them, or an earlier step.
  let left: Int

  init(_ folder: WorkFolder, _ source: KeptSource) throws {
    let runs = source.runs
    let scripts = source.plan.steps.last?.scripts.filter(\.outline.needsLua) ?? []
    let isChain = source.plan.steps.count > 1
    var keys: [String: [Int64]] = [:]
    let store = try RejectStore(path: folder.rejectsPath)
    try store.forEachWaiting(of: source.kept.basis, runs) { reject in
      // In a chain the same name may be that of entities in several steps.
      let isLast = scripts.contains { script in
        script.entity == reject.entity && (!isChain || script.outline.path == reject.script)
      }
      if isLast { keys[reject.entity, default: []].append(reject.key) }
    }
    try store.close()
    let all = try RejectStore.waiting(at: folder.rejectsPath, log: runs)
    left = all.reduce(0) { $0 + $1.count } - keys.values.reduce(0) { $0 + $1.count }
    self.keys = keys
  }
}
