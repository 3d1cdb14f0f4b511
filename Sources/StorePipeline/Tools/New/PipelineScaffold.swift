package import CoreDataStore
internal import StoreMigration

/// A new pipeline between versions of a model: the file, a script for each entity that needs one,
/// and tests for all of it.
///
/// Nothing is decided for the user: what cannot be inferred is in ``decisions``, and the pipeline
/// file lists it as undecided.
package struct PipelineScaffold: Sendable {
  package typealias Answer = StepNeeds.Answer
  package typealias Decision = StepNeeds.Decision
  package typealias Samples = StepNeeds.Samples

  package struct File: Sendable, Hashable {
    /// Its name, in the folder of the pipeline file.
    package let name: String
    /// What stands in it.
    package let text: String
  }

  /// What a scaffold is made from.
  package struct Choices {
    /// The models' paths, as the pipeline file shall name them.
    package var models: [String]
    /// The versions in their order, two at least: each pair is a step.
    package var versions: [Model]
    /// A mapping model between the first and the last of two versions, when there is one.
    package var mapping: MappingModel?
    /// What stores of the versions hold.
    package var samples = Samples()
    /// What the user has answered, by step and name.
    package var answers: [Decision: Answer] = [:]

    /// A scaffold for which no decision has an answer yet.
    package init(models: [String], versions: [Model]) {
      (self.models, self.versions) = (models, versions)
    }

    /// What the store at the beginning of a decision's step has of it, or one of an earlier version
    /// that has it under the same name.
    package func preview(of decision: Decision) -> String? {
      let before = versions.prefix { $0.name != decision.step }
      for version in before.reversed() {
        guard Self.has(decision.name, version) else { return nil }
        let step = samples.step(from: version.name, to: decision.step)
        if let preview = step.preview(of: decision.name) { return preview }
      }
      return nil
    }

    private static func has(_ name: String, _ version: Model) -> Bool {
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      guard let entity = version.entity(named: parts[0]) else { return false }
      return parts.dropFirst().allSatisfy { property in
        version.allAttributes(of: entity).contains { $0.name == property }
          || version.allRelationships(of: entity).contains { $0.name == property }
      }
    }
  }

  /// The files, the pipeline file first.
  package let files: [File]
  /// What waits for the user, step by step.
  package let decisions: [Decision]
  /// What the pipeline file lists as undecided: a name once, whatever is to be decided of it.
  package var undecided: [(step: String, name: String)] {
    var seen: Set<[String]> = []
    return decisions.filter { seen.insert([$0.step, $0.name]).inserted }
      .map { (step: $0.step, name: $0.name) }
  }

  /// What cannot be inferred and no line can settle; the pipeline fails its check because of it.
  package let unsettled: [String]
  /// How many parts of a mapping model end a run until they are written.
  package let stubs: Int

  /// Makes the files' texts; nothing is written.
  package init(_ choices: Choices) {
    let steps = ScaffoldStep.steps(of: choices)
    let name = Self.fileName(choices.versions.last?.name ?? "")
    files =
      [
        File(
          name: name + ".pipeline",
          text: ScaffoldPipeline(choices.models, choices.versions, steps).text)
      ]
      + steps.flatMap { step in
        step.needs.scripts.keys.sorted().map {
          File(name: step.script($0), text: ScaffoldScript($0, step.needs).text)
        }
      } + [
        File(
          name: name + TestFiles.ending,
          text: ScaffoldTest(name + ".pipeline", steps).text)
      ]
    decisions = steps.flatMap(\.needs.decisions)
    unsettled = steps.flatMap(\.needs.unsettled).map { "\($0.subject): \($0.why)" }
    stubs = steps.reduce(0) { $0 + $1.needs.stubs }
  }

  /// A name as a file's: small letters, digits, underscores.
  static func fileName(_ name: String) -> String {
    let words = name.split { !$0.isLetter && !$0.isNumber }.map { word in
      var text = ""
      for letter in word {
        if letter.isUppercase, text.last?.isLowercase == true { text.append("_") }
        text += letter.lowercased()
      }
      return text
    }
    return words.isEmpty ? "new" : words.joined(separator: "_")
  }
}

/// One step of a new pipeline, from a version to the next.
struct ScaffoldStep {
  let needs: StepNeeds
  /// Whether there are others, so that its scripts need the version in their names.
  let isOfChain: Bool

  var target: Model { needs.target }

  /// The file of an entity's script.
  func script(_ entity: String) -> String {
    let name = PipelineScaffold.fileName(entity) + ".lua"
    return isOfChain ? "\(PipelineScaffold.fileName(target.name))_\(name)" : name
  }

  static func steps(of choices: PipelineScaffold.Choices) -> [ScaffoldStep] {
    let pairs = Array(zip(choices.versions, choices.versions.dropFirst()))
    return pairs.enumerated().map { place, pair in
      let own = choices.answers.filter { $0.key.step == pair.1.name }
      let answers = Dictionary(own.map { ($0.key.key, $0.value) }) { first, _ in first }
      let needs = StepNeeds(
        from: pair.0, to: pair.1, before: pairs[(place + 1)...].map(\.1), choices.mapping,
        answers: answers,
        samples: choices.samples.step(
          from: pair.0.name, to: pair.1.name, before: Array(choices.versions[...place])))
      return ScaffoldStep(needs: needs, isOfChain: pairs.count > 1)
    }
  }
}
