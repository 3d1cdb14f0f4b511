internal import CoreDataStore
internal import StoreMigration

/// A stage that changes the objects of a step when they are there.
public struct PlannedRevision: Sendable, Hashable {
  /// The stage's name.
  public let stage: String
  /// What it may change: `Note` for the objects, `Note.title` or `Note.*` for properties, `*`.
  public let touches: [String]
  /// The entities whose objects may come and go.
  public let entities: Set<String>
  /// Where the pipeline file has the stage.
  public let line: Int?

  /// A stage with what it may change.
  package init(stage: String, touches: [String], entities: Set<String>, line: Int? = nil) {
    (self.stage, self.touches, self.entities, self.line) = (stage, touches, entities, line)
  }
}

extension PlannedStep {
  /// What is said where a comparison with the source has to leave something out.
  var sayingWhatIsNotVerified: String {
    "verified as it was before \(revisionNames): what that may change is not compared: \(touched)"
  }

  /// What is said of a store that a retry has put objects into, which another process had written
  /// to before.
  var sayingWhatIsNotRefilled: String {
    "a retry has put objects into a store that another process had written to: what "
      + "\(revisionNames) may change there is not compared, nor are links to it: \(touched)"
  }

  /// What is said where a look at the source has to leave something out.
  var sayingWhatIsRevised: String { "what \(revisionNames) may change: \(touched)" }

  /// The properties of entities of the target that the stages may change.
  var revisedProperties: Set<PropertyReference> {
    let model = targetSchema.model
    let touches = StageTouches(revisions.flatMap(\.touches), model)
    return model.entities.reduce(into: []) { found, entity in
      let names =
        model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
      for name in names where touches.has(name, of: entity.name) {
        found.insert(PropertyReference(entity.name, name))
      }
    }
  }

  private var revisionNames: String {
    Set(revisions.map(\.stage)).sorted().joined(separator: ", ")
  }

  private var touched: String {
    let words = ["*": "everything", "*.*": "all properties"]
    return Set(revisions.flatMap(\.touches)).sorted().map { words[$0] ?? $0 }
      .joined(separator: ", ")
  }
}

extension Plan {
  /// The entities of the target whose objects stages may have taken out or added, in any step.
  var revisedEntities: Set<String> {
    steps.reduce(into: []) { found, step in
      found = Set(found.map { step.mapping.objects(from: $0)?.target ?? $0 })
      for revision in step.revisions { found.formUnion(revision.entities) }
    }
  }
}
