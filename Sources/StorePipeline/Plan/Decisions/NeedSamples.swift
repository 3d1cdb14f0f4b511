package import CoreDataStore
internal import Foundation
internal import StoreMigration

extension StepNeeds {
  /// What stores of the versions hold, for previews and for values that are alike.
  package struct Samples {
    /// The stores by the names of their versions.
    private var stores: [String: Opened] = [:]
    private var old: Opened?
    private var new: Opened?
    /// The versions between that of the older store and the one that the step begins with: it says
    /// something only of what is the same in all of them.
    private var between: [Model] = []

    private struct Opened {
      let store: Store
      let schema: StoreSchema

      /// An entity and what inherits from it, those that have objects.
      func layouts(of entity: String) -> [EntityLayout] {
        let family = schema.model.entity(named: entity).map(schema.model.descendants) ?? []
        return family.filter { !$0.isAbstract }.compactMap { schema.entity(named: $0.name) }
      }

      /// The values of an attribute as texts; none where they cannot be read.
      func texts(_ attribute: String, _ entity: String, most: Int, width: Int = 60) -> [String]? {
        guard let found = schema.model.attribute(attribute, of: entity) else { return nil }
        var texts: [String] = []
        for layout in layouts(of: entity) where texts.count < most {
          guard let values = try? store.sample(of: found, in: layout, limit: most - texts.count)
          else { return nil }
          texts += values.map { ValueText.of($0, most: width) }
        }
        return texts
      }
    }

    /// The values of one attribute that are looked at.
    private static let most = 1000
    /// Fewer different values than this say nothing: of two truth values each is like the other.
    private static let fewest = 3

    /// No stores: nothing is like anything.
    package init() {}

    /// Stores of versions, one each.
    ///
    /// - Throws: `Failure` when a store cannot be read.
    package init(_ stores: [(store: Store, version: Model)]) throws {
      for (store, version) in stores {
        self.stores[version.name] = Opened(
          store: store, schema: try store.expectedSchema(of: version))
      }
    }

    /// The same for one step: what is there at its beginning and at its end.
    ///
    /// Without a store of the version that it begins with, the last one of the versions before.
    package func step(from source: String, to target: String, before: [Model] = []) -> Self {
      var step = self
      (step.old, step.new) = (stores[source], stores[target])
      if step.old == nil, let place = before.lastIndex(where: { stores[$0.name] != nil }) {
        step.old = stores[before[place].name]
        step.between = Array(before[(place + 1)...])
      }
      return step
    }

    /// Whether the step begins with a property as the older store has it.
    private func isSame(_ property: String, of entity: String) -> Bool {
      guard !between.isEmpty else { return true }
      guard let model = old?.schema.model else { return false }
      if let attribute = model.attribute(property, of: entity) {
        return between.allSatisfy { $0.attribute(property, of: entity)?.type == attribute.type }
      }
      return ([model] + between).allSatisfy {
        $0.relationship(property, ofEntity: entity) != nil
      }
    }

    /// What the older store has of an entity or a property: a number, and a few values; nil for
    /// what only the newer version has.
    package func preview(of name: String) -> String? {
      guard let old else { return nil }
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      let layouts = old.layouts(of: parts[0])
      guard let count = try? layouts.reduce(0, { try $0 + old.store.count(of: $1) }),
        old.schema.entity(named: parts[0]) != nil
      else { return nil }
      let objects = count == 1 ? "1 object" : "\(count) objects"
      guard let property = parts.dropFirst().first else { return objects }
      var values: Int64 = 0
      for layout in layouts {
        guard layout[property] != nil, let found = try? old.store.values(of: property, in: layout)
        else { return nil }
        values += found
      }
      let texts = old.texts(property, parts[0], most: 5, width: 24) ?? []
      return "\(values) of \(objects) \(values == 1 ? "has" : "have") one"
        + (texts.isEmpty ? "" : ": " + texts.joined(separator: ", "))
    }

    /// How many objects of entities of the older store have the same as another one of their entity
    /// in all these properties; nil where that does not show that none has.
    func sharing(
      _ properties: [String], of entities: [String]
    ) -> (isNone: Bool, text: String)? {
      guard let old,
        entities.allSatisfy({ entity in properties.allSatisfy { isSame($0, of: entity) } })
      else { return nil }
      let layouts = entities.compactMap { old.schema.entity(named: $0) }
      guard let count = try? layouts.reduce(0, { try $0 + old.store.count(of: $1) }),
        let sharing = try? layouts.reduce(0, { try $0 + old.store.sharing(properties, in: $1) }),
        sharing > 0 || entities.count == 1
      else { return nil }
      let objects = count == 1 ? "1 object" : "\(count) objects"
      let text =
        "In the store \(sharing == 0 ? "none" : "\(sharing)") of \(objects) "
        + (sharing == 1 ? "does" : "do")
      return (sharing == 0, text)
    }

    /// Whether some object of the older store has no value, or no link; nil where nothing is known.
    func isMissing(_ property: String, of entity: String) -> Bool? {
      guard let old, isSame(property, of: entity),
        let layout = old.schema.entity(named: entity), layout[property] != nil,
        let count = try? old.store.count(of: layout),
        let values = try? old.store.values(of: property, in: layout)
      else { return nil }
      return values < count
    }

    /// What says how many values of the older store a conversion has no counterpart for, if any,
    /// and what it takes.
    func misfits(
      _ attribute: String, of entity: String, _ conversion: Conversion
    ) -> String? {
      let values = values(attribute, of: entity)
      let wrong = values.count { conversion.convert($0) == nil }
      return wrong > 0
        ? "\(wrong) of \(values.count) values in the store cannot be converted: \(conversion.rule)."
        : nil
    }

    /// Values of an attribute of the older store, as many as are looked at.
    func values(_ attribute: String, of entity: String) -> [AttributeValue] {
      guard let old, isSame(attribute, of: entity),
        let found = old.schema.model.attribute(attribute, of: entity)
      else { return [] }
      return old.layouts(of: entity).flatMap {
        (try? old.store.sample(of: found, in: $0, limit: Self.most)) ?? []
      }
    }

    /// The texts among values where they come again and again, as the names of choices do, and
    /// none of them can be converted: a number that is there must not become another.
    static func choices(_ values: [AttributeValue], besides conversion: Conversion) -> [String] {
      guard values.allSatisfy({ conversion.convert($0) == nil }) else { return [] }
      let words = Set(
        values.compactMap { if case .string(let text) = $0 { text } else { nil } })
      let areChoices =
        words.count <= choices && 2 * words.count <= values.count
        && words.allSatisfy { $0.count <= choice }
      return areChoices ? words.sorted() : []
    }

    /// More different texts, or longer ones, are no names of choices.
    private static let (choices, choice) = (12, 24)

    /// Whether values of both versions can be compared.
    var haveBoth: Bool { old != nil && new != nil }

    /// Values of an attribute of the older store; nil for so few different ones that they say
    /// nothing.
    func before(_ attribute: String, of entity: String) -> [String]? {
      guard isSame(attribute, of: entity) else { return nil }
      let texts = old?.texts(attribute, entity, most: Self.most)
      return texts.flatMap { Set($0).count >= Self.fewest ? $0 : nil }
    }

    /// How many of a hundred values of an older attribute a newer one has as well; nil where that
    /// says nothing.
    static func share(of before: [String]?, in after: Set<String>?) -> Int? {
      guard let before, let after else { return nil }
      return 100 * before.count(where: after.contains) / before.count
    }

    /// How many of a hundred values an attribute of the newer store has as well; nil where that
    /// says nothing.
    func share(of values: [AttributeValue], in attribute: String, _ entity: String) -> Int? {
      let texts = values.map { ValueText.of($0) }
      guard Set(texts).count >= Self.fewest else { return nil }
      return Self.share(of: texts, in: after(attribute, of: entity))
    }

    /// Values of an attribute of the newer store.
    func after(_ attribute: String, of entity: String) -> Set<String>? {
      new?.texts(attribute, entity, most: Self.most).map(Set.init)
    }
  }
}
