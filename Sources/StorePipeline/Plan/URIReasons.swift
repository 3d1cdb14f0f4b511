import CoreDataStore
internal import StoreMigration

/// Why object URIs that somebody saved lead nowhere after a run.
struct URIReasons {
  /// A sentence a reason.
  let sentences: [String]

  init(_ steps: [PlannedStep], hasNewIdentity: Bool) {
    let objects = steps.flatMap { step in
      step.mapping.objects.flatMap { objects in
        objects.uriBreaks.map { why in
          objects.source == objects.target
            ? "\(objects.source): \(why.rawValue)"
            : "\(objects.source), now \(objects.target): \(why.rawValue)"
        }
      }
    }
    let scripts = steps.flatMap(\.scripts).filter(\.outline.makesObjects).map {
      "\($0.entity): a script makes the objects and may give them new keys"
    }
    let revised = steps.flatMap { step in
      step.revisions.flatMap { revision in
        revision.entities.sorted().map { "\($0): \(revision.stage) may take objects out" }
      }
    }
    sentences =
      objects + scripts + revised + (hasNewIdentity ? ["the whole store: it gets a new UUID"] : [])
  }
}
