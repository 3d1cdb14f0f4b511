import CoreDataStore
import Lua

/// What a stage may change: the objects of entities, and values and links of properties.
///
/// `Note` means that objects of the entity come and go, `Note.title` the property, `Note.*` all
/// properties, `*.*` all properties of all entities, and `*` everything. What is said of an entity
/// holds for those that inherit from it.
struct StageTouches: Sendable {
  let names: [String]
  private let model: Model

  init(_ names: [String], _ model: Model) { (self.names, self.model) = (names, model) }

  /// Whether objects of an entity may be made and taken out.
  func hasObjects(of entity: String) -> Bool {
    names.contains("*") || lineage(entity).contains(where: names.contains)
  }

  /// Whether a property of an entity's objects may be changed.
  func has(_ property: String, of entity: String) -> Bool {
    if hasObjects(of: entity) || names.contains("*.*") { return true }
    let parts = property.split(separator: ".")
    // A composite attribute stands for all its parts.
    let meant = ["*"] + parts.indices.map { parts[...$0].joined(separator: ".") }
    return lineage(entity).contains { owner in
      meant.contains { names.contains("\(owner).\($0)") }
    }
  }

  /// The entities whose objects may come and go.
  var entities: Set<String> {
    Set(model.entities.map(\.name).filter { hasObjects(of: $0) })
  }

  private func lineage(_ entity: String) -> [String] {
    model.entity(named: entity).map(model.lineage)?.map(\.name) ?? []
  }

  /// The names of a list that a stage has given.
  static func names(_ said: LuaValue, in file: ScriptFile) throws(Problem) -> [String] {
    guard case .table(let table) = said, table.fields.isEmpty else { throw wrong(said, file) }
    var names: [String] = []
    for item in table.list {
      guard let name = item.text, !name.isEmpty else { throw wrong(item, file) }
      names.append(name)
    }
    return names
  }

  private static func wrong(_ value: LuaValue, _ file: ScriptFile) -> Problem {
    Problem(
      file: file.path, line: 0,
      message: "'touches' must give a list of texts like \"Note.title\", and gave a "
        + value.typeName)
  }

  /// What is wrong with the names, by the model: nothing when all of them are in it.
  var mistakes: [String] { names.compactMap(mistake) }

  private func mistake(in name: String) -> String? {
    guard name != "*", name != "*.*" else { return nil }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard let entity = model.entity(named: parts[0]) else {
      let near = NearestName.quoted(for: parts[0], among: model.entities.map(\.name))
      return "'\(model.name)' has no entity '\(parts[0])'\(near)"
    }
    guard let property = parts.dropFirst().first, property != "*" else { return nil }
    let names =
      model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
    guard !names.contains(property), model.parts(of: property, in: entity).isEmpty else {
      return nil
    }
    let near = NearestName.quoted(for: property, among: names)
    return "\(entity.name) of '\(model.name)' has no property '\(property)'\(near)"
  }
}
