import CoreDataStore
internal import StoreMigration

/// Finds what a run would break in a mirror to CloudKit.
///
/// An error in the mirror reaches the server, and no rollback can undo it there.
struct MirrorCheck {
  private let facts: StoreFacts
  private let choice: StageDeclarations.CloudKit
  private let declarations: StageDeclarations
  private let file: String

  init(_ facts: StoreFacts, _ declarations: StageDeclarations, file: String) {
    (self.facts, self.declarations, self.file) = (facts, declarations, file)
    choice = declarations.cloudKit
  }

  /// The problems that keep the steps of a plan from running.
  func problems(_ steps: [PlannedStep], accepting losses: [String]) -> [Problem] {
    guard !facts.cloudKit.isEmpty, !steps.isEmpty else { return [] }
    switch choice {
    case .refuse: return []
    case .reset, .drop: return pending(accepting: losses)
    case .carry: return (whole + steps.flatMap(breaks)).map(problem)
    }
  }

  /// The warnings about a mirror that the plan carries or resets.
  func warnings(_ steps: [PlannedStep]) -> [String] {
    guard let mirror = facts.mirror else { return [] }
    switch choice {
    case .refuse: return []
    case .carry:
      let misfits =
        mirror.misfits.isEmpty
        ? []
        : [
          "CloudKit: the misfits are carried too, except records without an entity; with "
            + "cloudkit = \"reset\" the app builds the mirror again"
        ]
      return misfits + (made(steps).map { [$0] } ?? [])
    case .reset, .drop:
      let rows = facts.cloudKit.reduce(0) { $0 + $1.rows }
      let tables = Plural.text(facts.cloudKit.count, "table")
      return [
        "CloudKit: the run leaves \(tables) with \(Plural.text(Int(rows), "row")) behind; after "
          + "the next sync there may be two of each object, one from here and one from the server"
      ]
    }
  }

  private func problem(_ message: String) -> Problem {
    Problem(
      file: file, line: declarations.cloudKitLine ?? 0,
      message: "\(message)\nTo go ahead without the mirror: cloudkit = \"reset\"")
  }

  private func pending(accepting losses: [String]) -> [Problem] {
    guard let mirror = facts.mirror, mirror.isPending else { return [] }
    let names = declarations.instructions.acceptedLosses + losses.map { NamedInstruction($0) }
    guard !names.contains(where: { $0.matches(MappingInstructions.mirror) }) else { return [] }
    return [
      Problem(
        file: file, line: declarations.cloudKitLine ?? 0,
        message: "CloudKit: changes wait to be exported (\(mirror.pendingExports) changed, "
          + "\(mirror.pendingDeletes) deleted), and a reset forgets them.\n"
          + "Let the application sync first, or accept this with: --accept-loss "
          + MappingInstructions.mirror)
    ]
  }
}

// Changes that do not reach the server at once.
extension MirrorCheck {
  /// A warning about the values that the pipeline file or a script makes: the history does not have
  /// these changes.
  private func made(_ steps: [PlannedStep]) -> String? {
    let names = steps.flatMap { step in
      step.mapping.objects.flatMap { objects in
        objects.attributes.filter(\.isMade).map { "\(objects.target).\($0.name)" }
      }
    }
    guard !names.isEmpty else { return nil }
    return
      "CloudKit: values of \(names.joined(separator: ", ")) that the run makes reach the server "
      + "only when the app next saves those objects; the server's may overwrite them before that"
  }
}

extension AttributeMapping {
  /// Whether the run makes the value: it is neither the source's nor the model's default.
  fileprivate var isMade: Bool {
    switch origin {
    case .script: true
    case .source(_, let conversion): conversion.map { !$0.isCarried } ?? false
    case .value: rule == .constant
    case .null, .derivation: false
    }
  }
}

// What breaks a mirror.
extension MirrorCheck {
  private var whole: [String] {
    var found: [String] = []
    if declarations.metadata.history != .keep {
      found.append(
        "CloudKit: changes in the history that were not exported yet would never be exported.")
    }
    if declarations.metadata.newUUID {
      found.append("CloudKit: the mirror belongs to the store with the old UUID; keep it.")
    }
    return found
  }

  private func breaks(_ step: PlannedStep) -> [String] {
    let objects = step.mapping.objects.filter { !$0.isAbstract }
    let scripts = step.scripts.filter(\.outline.makesObjects).map {
      "\($0.entity): a script makes its objects, and records know objects by their keys."
    }
    let keys = objects.filter { $0.keys == .renumbered }.map {
      "\($0.source): its objects get new keys, by which the records know them."
    }
    let filters = objects.filter { !$0.conditions.isEmpty }.map {
      "\($0.source): an object that is left out stays on the server and comes back."
    }
    let revisions = step.revisions.flatMap { revision in
      revision.entities.sorted().map {
        "\($0): an object that the stage \(revision.stage) takes out stays on the server."
      }
    }
    return scripts + keys + filters + revisions + rejects(step) + left(step) + renames(step)
  }

  private func rejects(_ step: PlannedStep) -> [String] {
    step.scripts.filter { $0.transform.onError != .stop }.map { Self.rejection(of: $0.entity) }
  }

  /// Why no object of an entity may be rejected, in words that a retry uses as well.
  static func rejection(of entity: String) -> String {
    "\(entity): an object that its script fails on would be left out, and stays on the server."
  }

  /// Entities and relationships that the file drops although the new version has them.
  private func left(_ step: PlannedStep) -> [String] {
    let drops = Set(declarations.instructions.drops.map(\.name))
    return step.from.entities.flatMap { entity -> [String] in
      guard let next = step.to.entity(named: entity.name) else { return [] }
      let isLeft = !entity.isAbstract && (next.isAbstract || drops.contains(entity.name))
      let objects = isLeft ? ["\(entity.name): its objects are left out"] : []
      let links = entity.relationships.map(\.name).filter { name in
        drops.contains("\(entity.name).\(name)")
          && step.to.relationship(named: name, of: next) != nil
      }.map { "\(entity.name).\($0): its links are left out" }
      return (objects + links).map { "\($0), and come back from the server." }
    }
  }

  /// Core Data's refusals, 134110.
  private func renames(_ step: PlannedStep) -> [String] {
    let entities = step.mapping.objects.filter { $0.source != $0.target }.map {
      "134110: CloudKit integration forbids renaming '\($0.source)' to '\($0.target)'. Older "
        + "devices can't process the new records."
    }
    let attributes = step.mapping.objects.flatMap { objects in
      objects.attributes.compactMap { attribute in
        attribute.source.flatMap { source in
          // A value that a map copies to a second attribute is still in the first one.
          source == attribute.name || objects.attribute(named: source)?.source == source
            ? nil
            : Self.rename("\(objects.source).\(source)", "\(objects.target).\(attribute.name)")
        }
      }
    }
    let links = step.mapping.links.flatMap { link in
      [link.forward, link.backward].compactMap { direction -> String? in
        guard let old = direction.source, let new = direction.target, direction.isPaired,
          old.property != new.property
        else { return nil }
        guard link.targetStorage == .joinTable else { return Self.rename("\(old)", "\(new)") }
        return "134110: CloudKit integration forbids renaming '\(old.property)' to "
          + "'\(new.property)'. Older devices can't process the new relationships."
      }
    }
    return entities + attributes + links
  }

  private static func rename(_ old: String, _ new: String) -> String {
    "134110: Properties cannot be renamed in stores that are used with CloudKit. Cannot rename "
      + "'\(old)' to '\(new)'."
  }
}
