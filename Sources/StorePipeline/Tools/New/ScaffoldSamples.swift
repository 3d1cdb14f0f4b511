package import CoreDataStore
internal import Foundation
internal import StoreMigration

extension PipelineScaffold {
  /// What stores of the two versions hold, for previews and for values that are alike.
  package struct Samples {
    private var old: Opened?
    private var new: Opened?

    private struct Opened {
      let store: Store
      let schema: StoreSchema

      /// The values of an attribute as texts; none where they cannot be read.
      func texts(_ attribute: String, _ entity: String, most: Int, width: Int = 60) -> [String]? {
        guard let layout = schema.entity(named: entity),
          let found = schema.model.attribute(attribute, of: entity)
        else { return nil }
        let values = try? store.sample(of: found, in: layout, limit: most)
        return values.map { $0.map { ValueText.of($0, most: width) } }
      }
    }

    /// The values of one attribute that are looked at.
    private static let most = 1000
    /// Fewer different values than this say nothing: of two truth values each is like the other.
    private static let fewest = 3

    /// No stores: nothing is like anything.
    package init() {}

    /// Stores of the versions, where there are any; one of another version is left out.
    ///
    /// - Throws: `Failure` when a store cannot be read.
    package init(old: Store?, of source: Model, new: Store?, of target: Model) throws {
      self.old = try old.map { Opened(store: $0, schema: try $0.expectedSchema(of: source)) }
      self.new = try new.map { Opened(store: $0, schema: try $0.expectedSchema(of: target)) }
    }

    /// The same for one step: only the first begins at the older store, and only the last ends at
    /// the newer one.
    func cut(isFirst: Bool, isLast: Bool) -> Self {
      var cut = self
      if !isFirst { cut.old = nil }
      if !isLast { cut.new = nil }
      return cut
    }

    /// What the older store has of an entity or a property: a number, and a few values; nil for
    /// what only the newer version has.
    package func preview(of name: String) -> String? {
      guard let old else { return nil }
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      guard let layout = old.schema.entity(named: parts[0]),
        let count = try? old.store.count(of: layout)
      else { return nil }
      let objects = count == 1 ? "1 object" : "\(count) objects"
      guard let property = parts.dropFirst().first else { return objects }
      guard layout[property] != nil, let values = try? old.store.values(of: property, in: layout)
      else { return nil }
      let texts = old.texts(property, parts[0], most: 5, width: 24) ?? []
      return "\(values) of \(objects) \(values == 1 ? "has" : "have") one"
        + (texts.isEmpty ? "" : ": " + texts.joined(separator: ", "))
    }

    /// How many objects of the older store have the same as another one in all these properties.
    func sharing(_ properties: [String], of entity: String) -> String? {
      guard let old, let layout = old.schema.entity(named: entity),
        let count = try? old.store.count(of: layout),
        let sharing = try? old.store.sharing(properties, in: layout)
      else { return nil }
      let objects = count == 1 ? "1 object" : "\(count) objects"
      return "In the store \(sharing == 0 ? "none" : "\(sharing)") of \(objects) "
        + (sharing == 1 ? "does" : "do")
    }

    /// How many of a hundred values of the older attribute the newer one has as well; nil where
    /// that says nothing.
    func share(
      of first: Attribute, in entity: String, _ second: Attribute, in other: String
    ) -> Int? {
      guard let before = old?.texts(first.name, entity, most: Self.most),
        let after = new?.texts(second.name, other, most: Self.most),
        Set(before).count >= Self.fewest
      else { return nil }
      let known = Set(after)
      return 100 * before.count(where: known.contains) / before.count
    }
  }
}
