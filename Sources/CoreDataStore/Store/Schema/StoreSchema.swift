internal import Synchronization

/// What Core Data makes of a model in an SQLite store: predicted from the model alone.
///
/// Nothing of a store is read. Where the model does not settle something, ``doubts`` says so.
package struct StoreSchema: Sendable {
  /// All of it in one place: a run hands its schemas on thousands of times.
  private let content: Content

  /// The model that it was derived from.
  package var model: Model { content.model }
  /// The version of Core Data it is made for.
  package var framework: FrameworkVersion { content.framework }
  package var entities: [EntityLayout] { content.entities }
  /// The tables of objects, one for each entity without a parent, by the numbers of these.
  package var tables: [EntityTable] { content.tables }
  /// The tables of pairs, by name.
  package var joinTables: [JoinTable] { content.joinTables }
  /// The indexes, in the order Core Data makes them.
  package var indexes: [StoreIndex] { content.indexes }
  /// The spatial indexes, each a virtual table with triggers.
  package var spatialIndexes: [SpatialIndex] { content.spatialIndexes }
  /// The derived attributes that triggers keep, as far as these are known.
  package var derivedAttributes: [DerivedAttribute] { content.derivedAttributes }
  /// What the model alone does not settle.
  package var doubts: [SchemaDoubt] { content.doubts }

  /// The schema of a model, as a version of Core Data makes it.
  ///
  /// `masters` are relationships that name their table of pairs in a store although their inverse
  /// should: see ``masters(of:among:)``; `pairs` has the columns of its tables of pairs, which may
  /// have other suffixes.
  ///
  /// - Throws: ``Failure`` when the model has something that no rule is known for.
  package init(
    of model: Model, framework: FrameworkVersion = .newest, masters: Set<PropertyReference> = [],
    pairs: [String: [String]] = [:]
  ) throws {
    let question = SchemaQuestion(
      model: model, framework: framework, masters: masters, pairs: pairs)
    self = try SchemasPredicted.last.schema(question) {
      StoreSchema(
        content: try Content(
          predicting: model, framework: framework, masters: masters, pairs: pairs))
    }
  }

  package func entity(named name: String) -> EntityLayout? { content.layouts[name] }

  package func entity(number: Int) -> EntityLayout? {
    // The number may come from a damaged row: 1 less than the smallest integer is none.
    guard number >= 1, number <= entities.count else { return nil }
    return entities[number - 1]
  }

  /// An entity and those that inherit from it, by number.
  package func family(of entity: EntityLayout) -> ArraySlice<EntityLayout> {
    entities[(entity.family.lowerBound - 1)..<entity.family.upperBound]
  }

  /// The table of objects of this name.
  package func table(named name: String) -> EntityTable? { content.tablesByName[name] }

  /// The table of objects that an entity's are in.
  package func table(of entity: EntityLayout) -> EntityTable? { table(named: entity.table) }

  /// The table of pairs of this name.
  package func joinTable(named name: String) -> JoinTable? {
    content.joinsByName[name]
  }

  /// The indexes of a table, in the order Core Data makes them.
  package func indexes(of table: String) -> [StoreIndex] { content.indexesByTable[table] ?? [] }

  /// The relationships to many without an inverse that lead to an entity.
  package func owners(of destination: String) -> [PropertyReference] {
    content.numbered.owned(by: destination).map {
      PropertyReference($0.owner.name, $0.relationship.name)
    }
  }

  /// The triggers of spatial indexes and derived attributes.
  package var triggers: [StoreTrigger] {
    spatialIndexes.flatMap(\.triggers) + derivedAttributes.flatMap(\.triggers)
  }

  /// The relationships that name a table of pairs in a store although their inverse should: other
  /// programs write stores as well.
  package static func masters(
    of model: Model, among tables: some Sequence<String>
  ) throws -> Set<PropertyReference> {
    let names = Set(tables)
    let missing = try StoreSchema(of: model).joinTables.filter { !names.contains($0.name) }
    guard !missing.isEmpty else { return [] }
    let inverses = Set(missing.map(\.inverse))
    let swapped = try StoreSchema(of: model, masters: inverses).joinTables
    return Set(
      swapped.filter { inverses.contains($0.master) && names.contains($0.name) }.map(\.master))
  }
}

extension StoreSchema {
  private final class Content: Sendable {
    let model: Model
    let framework: FrameworkVersion
    let entities: [EntityLayout]
    let tables: [EntityTable]
    let joinTables: [JoinTable]
    let indexes: [StoreIndex]
    let spatialIndexes: [SpatialIndex]
    let derivedAttributes: [DerivedAttribute]
    let doubts: [SchemaDoubt]
    let layouts: [String: EntityLayout]
    let tablesByName: [String: EntityTable]
    let joinsByName: [String: JoinTable]
    let indexesByTable: [String: [StoreIndex]]
    let numbered: NumberedModel

    init(
      predicting model: Model, framework: FrameworkVersion, masters: Set<PropertyReference>,
      pairs: [String: [String]]
    ) throws {
      let numbered = try NumberedModel(model)
      var families: [FamilyColumns] = []
      for root in numbered.roots { families.append(try FamilyColumns(root, in: numbered)) }
      self.model = model
      self.numbered = numbered
      self.framework = framework
      tables = families.map(\.table)
      tablesByName = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
      joinTables = try JoinTables.of(numbered, families, masters: masters, there: pairs)
      joinsByName = Dictionary(joinTables.map { ($0.name, $0) }) { first, _ in first }
      entities = EntityLayouts(numbered, families, joinTables).all
      layouts = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
      var prediction = SchemaPrediction(numbered, layouts, tables, joinTables)
      prediction.run()
      indexes = prediction.indexes
      indexesByTable = Dictionary(grouping: indexes, by: \.table)
      spatialIndexes = prediction.spatialIndexes
      derivedAttributes = prediction.derivedAttributes
      doubts = prediction.doubts
      let names = tables.map(\.name) + joinTables.map(\.name) + spatialIndexes.map(\.name)
      try SchemaNames.checkUnique(names + SchemaText.fixedTables, "the store", in: model)
    }
  }

  private init(content: Content) { self.content = content }
}

/// What a schema is predicted from.
private struct SchemaQuestion: Sendable {
  let model: Model
  let framework: FrameworkVersion
  let masters: Set<PropertyReference>
  let pairs: [String: [String]]

  /// Whether both are about the same model, not one like it, and the rest is the same.
  func isSame(as other: SchemaQuestion) -> Bool {
    model.identity == other.model.identity && framework == other.framework
      && masters == other.masters && pairs == other.pairs
  }
}

/// The schemas that were predicted last: a plan asks for each several times, and the plans of many
/// stores ask for the same.
private final class SchemasPredicted: Sendable {
  static let last = SchemasPredicted()

  private static let most = 16
  private let schemas = Mutex<[(question: SchemaQuestion, schema: StoreSchema)]>([])

  func schema(_ question: SchemaQuestion, _ predict: () throws -> StoreSchema) throws -> StoreSchema
  {
    let known = schemas.withLock { $0.last { $0.question.isSame(as: question) }?.schema }
    if let known { return known }
    let schema = try predict()
    schemas.withLock { schemas in
      if schemas.count == Self.most { schemas.removeFirst() }
      schemas.append((question, schema))
    }
    return schema
  }
}
