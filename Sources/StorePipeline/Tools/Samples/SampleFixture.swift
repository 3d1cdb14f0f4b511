internal import CoreDataStore
internal import Formats
internal import Foundation
internal import StoreMigration
internal import StoreReplacement

extension Sample {
  /// A small store for tests that was taken from a real one.
  package struct Fixture: Sendable {
    private let source: String
    private let output: String
    private let sampled: StoreFixture.Sampled
    private let facts: StoreFacts
    private let kept: [String]
    private let bytes: Int64

    private static let what = "cannot make the sample"

    /// Takes one; the other store is only read.
    ///
    /// - Parameters:
    ///   - source: The store.
    ///   - output: Where the small store goes; nothing is there yet.
    ///   - objects: How many objects are wanted.
    ///   - names: The attributes whose values stay, as in "Note.status" and "Note.*".
    ///   - models: Models to recognise the store's version by.
    /// - Throws: `Failure`; nothing is at `output` then.
    package init(
      from source: String, at output: String, objects: Int, keeping names: [String],
      models: [String] = []
    ) throws {
      (self.source, self.output, kept) = (source, output, names)
      try Self.checkAbsence(of: output)
      let store = try Store(source)
      let recognition = try store.recognise(among: models.isEmpty ? nil : ModelSource(models))
      guard let model = recognition.model else { throw Self.unknown(recognition, source) }
      let attributes = try Self.attributes(names, of: model)
      let schema = try store.expectedSchema(of: model)
      facts = try store.facts(recognition)
      (sampled, bytes) = try ScratchFolder.with { folder in
        let made = "\(folder)/Fixture.sqlite"
        let sampled = try StoreFixture.sample(
          store, schema: schema, objects: objects, keeping: attributes, at: made)
        let bytes = try StoreFiles(made).bytes
        try StoreOutput.place(made: made, at: output)
        return (sampled, bytes)
      }
    }

    /// Refuses a path where something is, as soon as that can be known.
    private static func checkAbsence(of output: String) throws(Failure) {
      for path in [output] + ["-wal", "-shm", "-journal"].map({ output + $0 })
      where (try? FileManager.default.attributesOfItem(atPath: path)) != nil {
        throw Failure(
          .misuse, what: what, subject: path, why: "Something is there already.",
          remedy: "Give another path, or move it away.")
      }
    }

    private static func unknown(_ recognition: ModelRecognition, _ path: String) -> Failure {
      Failure(
        .unusable, what: what, subject: path,
        why: "The version of its model is not known. "
          + (recognition.cacheProblem
            ?? "No model that was given has its version hashes, and the store keeps none."),
        remedy: "Name the models of the application with --models.")
    }
  }
}

// The attributes whose values stay.
extension Sample.Fixture {
  /// The attributes that some names mean, by the very entity of the objects.
  private static func attributes(
    _ names: [String], of model: Model
  ) throws -> Set<PropertyReference> {
    let all = model.entities.flatMap { entity in
      model.allAttributes(of: entity).flatMap { attribute in
        model.lineage(of: entity).map { ancestor in
          (
            name: "\(ancestor.name).\(attribute.name)",
            own: PropertyReference(entity.name, attribute.name)
          )
        }
      }
    }
    var found: Set<PropertyReference> = []
    var mistakes: [String] = []
    for name in names {
      let named = all.filter { NamedInstruction(name).covers($0.name) }.map(\.own)
      if name.allSatisfy({ "*.".contains($0) }) {
        mistakes.append("\(name) stands for every value: nothing would be replaced.")
      } else if named.isEmpty {
        mistakes.append(mistake(name, of: model))
      }
      found.formUnion(named)
    }
    guard mistakes.isEmpty else {
      throw Failure(
        .misuse, what: "cannot keep the values", subject: names.joined(separator: ", ").oneLine,
        why: mistakes.joined(separator: "\n"),
        remedy: "Name attributes as Entity.attribute, or all of an entity's as Entity.*")
    }
    return found
  }

  private static func mistake(_ name: String, of model: Model) -> String {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let first = parts.first ?? name
    guard !first.contains("*") else {
      let all = model.entities.flatMap { model.allAttributes(of: $0).map(\.name) }
      let near = NearestName.suggestion(for: parts.last ?? name, among: Set(all).sorted())
      return "No entity has an attribute \(parts.last ?? name)\(near.isEmpty ? "." : near)"
    }
    guard let entity = model.entity(named: first) else {
      let near = NearestName.suggestion(for: first, among: model.entities.map(\.name))
      return "The model has no entity \(first.word)\(near.isEmpty ? "." : near)"
    }
    guard parts.count > 1 else { return "\(name.word) is an entity, and no attribute." }
    if model.relationship(named: parts[1], of: entity) != nil {
      return "\(name.word) is a relationship, and these are kept among the objects."
    }
    let near = NearestName.suggestion(
      for: parts[1], among: model.allAttributes(of: entity).map(\.name))
    return "\(entity.name) has no attribute \(parts[1].word)\(near.isEmpty ? "." : near)"
  }
}

// What is said of it.
extension Sample.Fixture {
  /// The entities that have objects in the store, with how many there are in the small one.
  private var entities: [(name: String, objects: Int, rows: Int64)] {
    facts.entities.filter { $0.rows > 0 }
      .map { ($0.name, sampled.objects[$0.name] ?? 0, $0.rows) }
  }

  package func text(_ width: Int) -> String {
    var table = TextTable(indent: 2, numbers: [1, 3])
    for entity in entities {
      table.add(
        entity.name, Quantity.count(entity.objects), "of", Quantity.count(Int(entity.rows)), "")
    }
    let head =
      "\(output.oneLine): \(Plural.text(sampled.count, "object")) of \(source.oneLine), "
      + Quantity.bytes(Int(bytes))
    let links =
      sampled.cutLinks == 0
      ? [] : ["links to objects that were left out, now empty: \(Quantity.count(sampled.cutLinks))"]
    let files =
      sampled.files == 0 ? [] : ["values in files: \(Quantity.count(sampled.files))"]
    let names = kept.isEmpty ? [] : ["kept: \(kept.map(\.oneLine).joined(separator: ", "))"]
    return ([head] + table.lines(width: width) + links + files + names).joined(separator: "\n")
  }

  /// What the user may want to do something about.
  package var notes: [String] {
    let few = sampled.few.map { few in
      "\(few.attribute) has \(few.texts) different texts in \(Plural.text(few.objects, "object")); "
        + "if they are states, and scripts read them: --keep-values \(few.attribute)"
    }
    let broken = sampled.broken.map { attribute in
      "\(attribute) has values that may no longer obey the model's rules; they would stay with: "
        + "--keep-values \(attribute)"
    }
    let missing =
      sampled.missingFiles == 0
      ? []
      : ["\(Plural.text(sampled.missingFiles, "value")) had no file in the store and has one now"]
    return few + broken + missing + leftOut
  }

  private var leftOut: [String] {
    let history = facts.history?.transactions ?? 0
    let mirror = facts.cloudKit.map(\.rows).reduce(0, +)
    let foreign = facts.foreign.filter { $0.kind != "column" }.count
    return [
      history > 0 ? "the history is left out: \(Plural.text(Int(history), "transaction"))" : nil,
      mirror > 0 ? "what the mirror to CloudKit knows is left out" : nil,
      foreign > 0
        ? "tables, indexes and triggers that the model does not explain are left out: "
          + Quantity.count(foreign) : nil,
    ].compactMap(\.self)
  }

  package var json: String {
    let entities = entities.map { entity -> JSONValue in
      [
        "name": .string(entity.name), "objects": .integer(Int64(entity.objects)),
        "rows": .integer(entity.rows),
      ]
    }
    let few = sampled.few.map { few -> JSONValue in
      [
        "attribute": .string("\(few.attribute)"), "texts": .integer(Int64(few.texts)),
        "objects": .integer(Int64(few.objects)),
      ]
    }
    let document: JSONValue = [
      "format": 1, "store": .string(source), "output": .string(output),
      "uuid": .string(sampled.uuid), "bytes": .integer(bytes),
      "objects": .integer(Int64(sampled.count)), "entities": .array(entities),
      "kept": .texts(kept), "emptyLinks": .integer(Int64(sampled.cutLinks)),
      "files": .integer(Int64(sampled.files)),
      "missingFiles": .integer(Int64(sampled.missingFiles)), "fewTexts": .array(few),
      "brokenRules": .texts(sampled.broken.map { "\($0)" }),
      "leftOut": .texts(leftOut),
    ]
    return document.text(.pretty)
  }
}
