internal import CoreDataStore
internal import StoreMigration

/// The text of the tests of a new pipeline: a case and a property for each script, and a store with
/// one object of each entity that goes through all of it.
struct ScaffoldTest {
  private let pipeline: String
  private let source: Model
  private let target: Model
  private let needs: ScaffoldNeeds
  private let script: (String) -> String

  init(
    _ pipeline: String, from source: Model, to target: Model, _ needs: ScaffoldNeeds,
    _ script: @escaping (String) -> String
  ) {
    (self.pipeline, self.source, self.target) = (pipeline, source, target)
    (self.needs, self.script) = (needs, script)
  }

  var text: String {
    let parts =
      ["-- Run with: pipeline test"]
      + needs.scripts.keys.sorted().filter { !isUnwritten($0) }.map(tests)
      + (needs.stubs == 0 ? [migration] : ["-- Write the functions that end with an error first."])
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// Whether a script ends the run until it is written, or does what a case cannot show.
  private func isUnwritten(_ entity: String) -> Bool {
    let values = needs.scripts[entity] ?? []
    return needs.policies[entity] != nil || needs.relations[entity] != nil
      || values.contains { $0.body != nil }
  }

  private func tests(of entity: String) -> String {
    let values = needs.scripts[entity] ?? []
    let expected = values.map {
      "\(LuaText.key($0.attribute.name)) = \($0.attribute.example.expected)"
    }
    return """
      script \(LuaText.quoted(script(entity))) {
        entity = \(LuaText.quoted(entity)), pipeline = \(LuaText.quoted(pipeline)),
      }

      case \(LuaText.quoted("one \(entity)")) {
        given = \(Self.table(given(entity))),
        expect = \(expectation(entity, expected)),
      }

      property \(LuaText.quoted("no \(entity) is refused")) { objects = 50 }
      """
  }

  /// An object without any value would be taken for none.
  private func expectation(_ entity: String, _ values: [String]) -> String {
    let own = needs.mapping.objects(from: entity)?.target ?? entity
    let links = (needs.links[entity] ?? []).map(\.destination.name)
    guard values.isEmpty || !links.isEmpty else { return Self.table(values) }
    var made = [own: [Self.table(values)]]
    for name in links { made[name, default: []].append("{}") }
    return Self.table(
      made.sorted { $0.key < $1.key }.map { name, objects in
        "\(LuaText.key(name)) = { \(objects.joined(separator: ", ")) }"
      })
  }

  private static func table(_ fields: [String]) -> String {
    fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
  }

  /// The values that an object of the source must have.
  private func given(_ entity: String) -> [String] {
    guard let found = source.entity(named: entity) else { return [] }
    let attributes = source.allAttributes(of: found).filter {
      $0.isStored && !$0.isOptional && $0.derivation == nil && $0.defaultValue == nil
    }
    return attributes.map { "\(LuaText.key($0.name)) = \($0.typeExample)" }
  }

  private var migration: String {
    let entities = source.entities.filter { !$0.isAbstract }
    let lines = entities.map { entity in
      let fields = given(entity.name) + links(entity)
      return "    \(LuaText.key(entity.name)) = { one = \(Self.table(fields)) },"
    }
    let expected = arrivals.map { "    \(LuaText.key($0)) = { {} },\n" }.joined()
    return """
      migration "one object of each entity" {
        pipeline = \(LuaText.quoted(pipeline)),
        store = {
      \(lines.joined(separator: "\n"))
        },
        expect = {\(expected.isEmpty ? "" : "\n\(expected)  ")},
      }
      """
  }

  /// Mandatory relationships lead to the one object that there is.
  private func links(_ entity: Entity) -> [String] {
    source.allRelationships(of: entity).filter { !$0.isOptional && !$0.isTransient }
      .compactMap { link in
        guard let far = source.entity(named: link.destination),
          source.descendants(of: far).contains(where: { !$0.isAbstract })
        else { return nil }
        let one = "\"one\""
        return "\(LuaText.key(link.name)) = \(link.isToMany ? "{ \(one) }" : one)"
      }
  }

  /// The entities that get exactly one of these objects.
  private var arrivals: [String] {
    target.entities.filter { !$0.isAbstract }.map(\.name).filter { name in
      let objects = needs.mapping.objects(into: name).filter { !$0.isAbstract }
      return objects.count == 1 && objects[0].conditions.isEmpty
        && needs.notes[objects[0].source] == nil
    }
  }
}

extension String {
  /// What a test expects for a value that a script gives.
  fileprivate var expected: String { self == "nil" ? "null" : self }
}
