internal import CoreDataStore

/// Annotations for lua-language-server: what scripts between two versions see and may call.
///
/// The file is never run. With it an editor completes the names of attributes and functions, and
/// marks those that are not there.
package struct TypeAnnotations {
  /// The name of the file, next to the pipeline file.
  package static let fileName = "pipeline-types.lua"
  /// The line that says that the file may be written over.
  package static let firstLine = "---@meta pipeline-types"

  private let steps: [PlannedStep]
  private let name: String

  /// The annotations of a plan, whose steps are those of every version that its file takes.
  package init(_ plan: Plan) {
    steps = plan.steps
    name = plan.pipeline.name
  }

  package var text: String {
    var parts = [
      """
      \(Self.firstLine)
      -- Made by `pipeline types` from the models of "\(name.oneLine)"; it is rebuilt, not edited.
      """
    ]
    for model in models(\.from) { parts += classes(of: model, side: "source") }
    for model in models(\.to) { parts += classes(of: model, side: "target") }
    parts += [makers, context] + functions
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// The names by which both sides' classes begin; of several versions, with the version's.
  private func prefix(_ side: String, _ model: Model) -> String {
    let all = side == "source" ? models(\.from) : models(\.to)
    return all.count == 1 ? side : "\(side).\(Self.word(model.name))"
  }

  private func models(_ side: (PlannedStep) -> Model) -> [Model] {
    var seen: Set<String> = []
    return steps.map(side).filter { seen.insert($0.name).inserted }
  }

  /// A name as part of a class's: letters, digits and underscores.
  private static func word(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}

// Entities.
extension TypeAnnotations {
  private func classes(of model: Model, side: String) -> [String] {
    let prefix = prefix(side, model)
    return model.entities.map { entity in
      let parent = entity.parent.map { ": \(prefix).\(Self.word($0))" } ?? ""
      let note = entity.isAbstract ? ", which is abstract" : ""
      var lines = [
        "---\(entity.name) of \(model.name.oneLine)\(note).",
        "---@class \(prefix).\(Self.word(entity.name))\(parent)",
      ]
      let type = "\(prefix).\(Self.word(entity.name))"
      lines += entity.declaredAttributes.filter { $0.isStored || $0.type == .composite }
        .map { Self.field($0, of: type) }
      lines += entity.relationships.filter { !$0.isTransient }.map { Self.field($0, prefix) }
      lines += entity.composites.flatMap { Self.classes(of: $0, type) }
      return lines.joined(separator: "\n")
    }
  }

  /// The classes of a composite and of the composites in it.
  private static func classes(of composite: Attribute, _ owner: String) -> [String] {
    let type = "\(owner).\(word(composite.name))"
    return ["", "---What \(composite.name) holds.", "---@class \(type)"]
      + composite.elements.map { field($0, of: type) }
      + composite.elements.filter { $0.type == .composite }.flatMap { classes(of: $0, type) }
  }

  private static func field(_ attribute: Attribute, of owner: String) -> String {
    let mark = attribute.isOptional ? "?" : ""
    let note = attribute.derivation == nil ? "" : ", derived"
    guard attribute.type != .composite else {
      return "---@field \(attribute.name) \(owner).\(word(attribute.name)) composite"
    }
    return "---@field \(attribute.name) \(attribute.type.facts.luaType)\(mark) "
      + "\(attribute.type.name)\(note)"
  }

  private static func field(_ link: Relationship, _ prefix: String) -> String {
    let one = "\(prefix).\(word(link.destination))"
    let type = link.isToMany ? "\(one)[]" : one + (link.isOptional ? "?" : "")
    return "---@field \(link.name) \(type) to \(link.isToMany ? "many" : "one")"
      + (link.isOrdered ? ", ordered" : "")
  }
}

// What the functions of a script are given.
extension TypeAnnotations {
  private var makers: String {
    var lines = [
      "---Makes objects: `new.Entity(source)` as the mapping alone would, `new.Entity { ... }`",
      "---from values.", "---@class pipeline.new",
    ]
    var seen: Set<String> = []
    for model in models(\.to) {
      for entity in model.entities where !entity.isAbstract && seen.insert(entity.name).inserted {
        let type = "\(prefix("target", model)).\(Self.word(entity.name))"
        lines.append("---@field \(entity.name) fun(from?: any): \(type)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private var context: String {
    let functions = ScriptReference.functions.filter { $0.module == "ctx" }
    var lines = ["---The context of a hook.", "---@class pipeline.ctx"]
    lines += ScriptReference.contextFields.map { "---@field \($0.name) \($0.type) \($0.text)" }
    lines += functions.map { function in
      let name = function.name.dropFirst("ctx.".count)
      let parameters = function.parameters.map(Self.parameter).joined(separator: ", ")
      let returns = function.returns.isEmpty ? "" : ": \(function.returns)"
      return "---@field \(name) fun(\(parameters))\(returns) \(function.text)"
    }
    return lines.joined(separator: "\n")
  }

  private static func parameter(_ parameter: ScriptFunction.Parameter) -> String {
    "\(parameter.name)\(parameter.isOptional ? "?" : ""): \(parameter.type)"
  }

  private var functions: [String] {
    let others = ScriptReference.functions.filter { $0.module != "ctx" && $0.name != "require" }
    var seen: Set<String> = []
    var parts = ["---The stage's `params`.\n---@type table\nparams = {}"]
    for function in others {
      if !function.module.isEmpty, seen.insert(function.module).inserted {
        parts.append("\(function.module) = {}")
      }
      parts.append(Self.declaration(function))
    }
    return parts
  }

  private static func declaration(_ function: ScriptFunction) -> String {
    var lines = ["---\(function.text)"]
    if case .value(let call, let gives) = function.example {
      lines += ["---", "---    \(call)  --> \(gives)"]
    }
    lines += function.parameters.map {
      "---@param \($0.name)\($0.isOptional ? "?" : "") \($0.type)"
    }
    if !function.returns.isEmpty {
      lines += function.returns.split(separator: ", ").map { "---@return \($0)" }
    }
    let names = function.parameters.map(\.name).joined(separator: ", ")
    return lines.joined(separator: "\n") + "\nfunction \(function.name)(\(names)) end"
  }
}
