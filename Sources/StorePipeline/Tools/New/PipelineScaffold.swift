package import CoreDataStore
internal import StoreMigration

/// A new pipeline between two versions of a model: the file, a script for each entity that needs
/// one, and tests for all of it.
package struct PipelineScaffold: Sendable {
  package struct File: Sendable, Hashable {
    /// Its name, in the folder of the pipeline file.
    package let name: String
    /// What stands in it.
    package let text: String
  }

  /// The files, the pipeline file first.
  package let files: [File]
  /// What cannot be inferred and no line can settle; the pipeline fails its check because of it.
  package let unsettled: [String]
  /// How many lines wait for the user to look at them.
  package let questions: Int
  /// How many parts of a mapping model end a run until they are written.
  package let stubs: Int

  /// Makes the files' texts; nothing is written.
  ///
  /// - Parameters:
  ///   - models: The models' paths, as the pipeline file shall name them.
  ///   - source: The version to start at.
  ///   - target: The version to arrive at.
  ///   - mapping: A mapping model between them, when there is one.
  package init(
    models: [String], from source: Model, to target: Model, mapping: MappingModel? = nil
  ) {
    let needs = ScaffoldNeeds(from: source, to: target, mapping)
    let name = Self.fileName(target.name)
    let script = { (entity: String) in Self.fileName(entity) + ".lua" }
    let entities = needs.scripts.keys.sorted()
    var files = [
      File(
        name: name + ".pipeline",
        text: ScaffoldPipeline(models: models, from: source, to: target, needs, script).text)
    ]
    files += entities.map {
      File(name: script($0), text: ScaffoldScript($0, needs, from: source, to: target).text)
    }
    files.append(
      File(
        name: name + TestFiles.ending,
        text: ScaffoldTest(name + ".pipeline", from: source, to: target, needs, script).text))
    self.files = files
    unsettled = needs.unsettled.map { "\($0.subject): \($0.why)" }
    let values = needs.scripts.values.reduce(0) { $0 + $1.count }
    let links = needs.links.values.reduce(0) { $0 + $1.count }
    let relations = needs.relations.values.reduce(0) { $0 + $1.count }
    questions = needs.rules.count + values + links + relations + needs.policies.count
    stubs = needs.stubs
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
