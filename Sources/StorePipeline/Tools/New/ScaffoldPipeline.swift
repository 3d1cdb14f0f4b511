internal import CoreDataStore
internal import StoreMigration

/// The text of a new pipeline file.
struct ScaffoldPipeline {
  private let models: [String]
  private let source: Model
  private let target: Model
  private let needs: ScaffoldNeeds
  private let script: (String) -> String

  init(
    models: [String], from source: Model, to target: Model, _ needs: ScaffoldNeeds,
    _ script: @escaping (String) -> String
  ) {
    (self.models, self.source, self.target) = (models, source, target)
    (self.needs, self.script) = (needs, script)
  }

  var text: String {
    let list =
      models.count == 1
      ? LuaText.quoted(models[0]) : "{ \(models.map(LuaText.quoted).joined(separator: ", ")) }"
    return """
      -- \(source.name.oneLine) to \(target.name.oneLine). What is inferred:
      \(inferred)
      pipeline \(LuaText.quoted("\(source.name) to \(target.name)")) {
        format = 1,
        models = \(list),
        accept = { \(LuaText.quoted(source.name)) },
        target = \(LuaText.quoted(target.name)),
      }

      stage "detect" {}
      stage "open" {}
      \(copy)
      \(transforms)stage "connect" {}
      stage "validate" {}
      stage "verify" {}
      stage "swap" {}

      """
  }

  private var inferred: String {
    var lines = needs.mapping.objects.filter { !$0.isAbstract }.map { object in
      let name =
        object.source == object.target ? object.source : "\(object.source) -> \(object.target)"
      return "\(name): \(object.rule.rawValue)"
        + (needs.scripts[object.source] == nil ? "" : ", and \(script(object.source))")
    }
    lines += needs.mapping.added.map { "\($0): new, and empty" }
    return lines.map { "--   \($0)" }.joined(separator: "\n")
  }

  private var copy: String {
    guard !needs.rules.isEmpty else { return "stage \"copy\" {}" }
    let lines = needs.rules.map { "  -- \($0.why.oneLine)\n  \($0.text),\n" }
    return "stage \"copy\" {\n\(lines.joined())}"
  }

  private var transforms: String {
    needs.scripts.keys.sorted().map { entity in
      let name = LuaText.quoted(entity)
      let file = LuaText.quoted(script(entity))
      return "stage \"transform\" { entity = \(name), script = \(file) }\n"
    }.joined()
  }
}
