import CoreDataStore
internal import OperatingSystem
internal import StoreReplacement

/// Finds the version of a store, and the steps that remain for it.
struct StoreVersion {
  private let store: Store
  private let planner: Planner
  private let chain: VersionChain

  /// The objects that no model explains of which no more are listed one by one.
  static let mostForeign = 10

  init(_ store: Store, _ planner: Planner, _ chain: VersionChain) {
    (self.store, self.planner, self.chain) = (store, planner, chain)
  }

  /// What a plan has to know of a store.
  struct Survey {
    let model: Model
    /// The steps that remain.
    let hops: [VersionChain.Hop]
    /// The other facts about the store.
    let facts: StoreFacts
  }

  /// Looks at the store.
  ///
  /// - Parameter version: The version's name, where it is known by something else than the hashes.
  /// - Returns: The version, the steps that remain, and the facts.
  /// - Throws: `Failure` when the store is newer, of an unknown version, or not to be taken.
  func survey(_ version: String?) throws -> Survey {
    let recognition = try planner.library.recognise(store)
    let model = try version.map(planner.library.model(named:)) ?? known(recognition)
    guard let hops = try chain.hops(from: model, force: planner.settings.force) else {
      throw failure(
        "It is of the version \"\(model.name)\", which comes after \"\(chain.target.name)\".",
        "Take a newer pipeline; or name the version in 'accept' if the way back is meant.")
    }
    guard try hops.isEmpty || model.isSame(as: chain.target) || chain.accepts(model) else {
      let names = (planner.pipeline.accept ?? []).map { "\"\($0)\"" }.joined(separator: ", ")
      throw failure(
        "It is of the version \"\(model.name)\", and the pipeline takes \(names).",
        "Add the version to 'accept', or take another pipeline.")
    }
    let facts = try store.facts(recognition)
    if !hops.isEmpty { try check(facts) }
    return Survey(model: model, hops: hops, facts: facts)
  }

  private func known(_ recognition: ModelRecognition) throws -> Model {
    let isNamed = recognition.known == .file
    guard let model = recognition.model, isNamed || !recognition.isNewer else {
      throw unknown(recognition)
    }
    // A chain of steps begins at a version whose place in it is known.
    guard isNamed || (planner.pipeline.steps.isEmpty && isRelated(model)) else {
      throw unknown(recognition)
    }
    return model
  }

  /// Whether the model a store keeps of itself can be an older version of the target.
  private func isRelated(_ model: Model) -> Bool {
    chain.target.entities.contains { entity in
      model.entity(named: entity.name) != nil || model.entity(named: entity.renamingName) != nil
    }
  }

  private func unknown(_ recognition: ModelRecognition) -> Failure {
    let place = planner.library.paths.joined(separator: ", ")
    guard !recognition.isNewer else {
      return failure(
        "It was made with a newer version than all that are in \(place).",
        "Take the models of the application that wrote it.")
    }
    let nearest = recognition.nearest.map { model in
      let reasons = recognition.misfits.prefix(3).map { "\($0)." }.joined(separator: " ")
      return " \"\(model.name)\" comes nearest: \(reasons)"
    }
    let words = ["inspect", store.files.path, "--against"] + planner.library.paths.prefix(1)
    return failure(
      "None of the versions in \(place) has its version hashes.\(nearest ?? "")",
      "See why with: \(SuggestedCommand.text(words))")
  }

  /// Refuses what cannot be carried over rightly.
  private func check(_ facts: StoreFacts) throws {
    guard facts.cloudKit.isEmpty || planner.declarations.cloudKit != .refuse else {
      let names = facts.cloudKit.prefix(3).map(\.table).joined(separator: ", ")
      throw failure(
        "It is mirrored to CloudKit (\(names)). An error in the mirror reaches the server, and no "
          + "rollback can undo it there.",
        "Let the application migrate it; or choose in the pipeline file: with stage \"open\" "
          + "{ cloudkit = \"carry\" } the run carries the mirror over; with \"reset\" it leaves "
          + "the mirror behind, and the app mirrors everything again.")
    }
  }

  private func failure(_ why: String, _ remedy: String) -> Failure {
    Failure(
      .unusable, what: "cannot plan for the store", subject: store.files.path, why: why,
      remedy: remedy)
  }
}

extension StoreVersion.Survey {
  var entities: [String: EntityFacts] {
    Dictionary(facts.entities.map { ($0.name, $0) }) { first, _ in first }
  }

  /// What is strange about the store, and what in it no model explains.
  var warnings: [String] {
    let missing = facts.externalFiles?.missingValues.map(\.warning) ?? []
    return brief + facts.warnings.map(\.description) + missing + foreign
  }

  /// What the model does not explain; the indexes that an application added are one warning.
  private var foreign: [String] {
    let indexes = facts.foreign.filter { $0.kind == "index" }
    let others = Self.warnings(of: facts.foreign.filter { $0.kind != "index" })
    guard indexes.count > 1 else { return others + Self.warnings(of: indexes) }
    let named = indexes.prefix(StoreVersion.mostForeign).map(\.name).joined(separator: ", ")
    let rest = indexes.count - StoreVersion.mostForeign
    let more = rest > 0 ? " and \(Quantity.count(rest)) more" : ""
    return others + [
      "\(Quantity.count(indexes.count)) indexes, \(named)\(more): the model does not explain "
        + "them, and the new store will not have them"
    ]
  }

  /// A warning for each; a store can have any number of them.
  private static func warnings(of objects: [ForeignObject]) -> [String] {
    let rest = objects.count - StoreVersion.mostForeign
    return objects.prefix(StoreVersion.mostForeign).map { object in
      "\(object.words): the model does not explain it, and the new store will not have it"
    }
      + (rest > 0
        ? [
          "\(Quantity.count(rest)) more tables, columns and the like: the model does not explain "
            + "them, and the new store will not have them"
        ] : [])
  }

  /// What a look at a part of the store leaves out.
  private var brief: [String] {
    guard facts.isBrief, !hops.isEmpty else { return [] }
    return [
      "only a part of the store was read: it was not checked for damage, large tables were not "
        + "counted but estimated, and texts were not searched for object URIs"
    ]
  }

  /// The room that a run takes.
  func space(_ swap: SwapChoices?, _ steps: [PlannedStep]) -> PlannedSpace? {
    guard !hops.isEmpty else { return nil }
    let old = facts.files.bytes + (facts.files.walBytes ?? 0)
    let isScattered = steps.contains { step in
      !step.revisions.isEmpty || step.scripts.contains(where: \.outline.makesObjects)
    }
    let needed = SpaceNeeded(
      old: old, new: old, stores: min(hops.count, 2), oldBlobs: facts.externalFiles?.bytes ?? 0,
      hasBackup: swap?.backupKeep != BackupsKept.none,
      scattered: isScattered ? facts.entities.reduce(0) { $0 + $1.rows } : nil)
    let free = try? FileSystem.freeBytes(at: facts.files.folder)
    return PlannedSpace(
      needed: needed.total, free: free, places: needed, of: old,
      in: try? WorkFolder(store: facts.files.path))
  }
}
