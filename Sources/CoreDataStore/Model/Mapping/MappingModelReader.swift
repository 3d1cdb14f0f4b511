internal import Formats

/// Reads `xcmapping.xml`, a store of Xcode's own: objects by id, of three kinds.
package struct MappingModelReader {
  private let objects: [String: MappingObject]
  private let budget = UnfoldBudget()
  private var named: Set<String> = []

  private init(objects: [String: MappingObject]) { self.objects = objects }

  /// The mapping model in the XML.
  package static func read(_ bytes: [UInt8]) throws(Failure) -> MappingModel {
    let root: XMLTree.Element
    do {
      root = try XMLTree(bytes).root
    } catch {
      throw Failure(readingModel: "", why: "It cannot be read as a mapping model: \(error).")
    }
    let objects = root.children("object").map(MappingObject.init)
    guard let top = objects.first(where: { $0.type == "XDDEVMAPPINGMODEL" }) else {
      throw Failure(readingModel: "line \(root.line)", why: "It holds no mapping model.")
    }
    let byID = Dictionary(objects.map { ($0.id, $0) }) { first, _ in first }
    var reader = MappingModelReader(objects: byID)
    let mapping = try reader.model(top)
    try reader.budget.check()
    return mapping
  }

  private mutating func model(_ top: MappingObject) throws(Failure) -> MappingModel {
    let mappings = try targets(top, "entitymappings").sorted { first, second in
      (first.number, first.id) < (second.number, second.id)
    }
    var entities: [EntityMapping] = []
    for mapping in mappings { entities.append(try entity(mapping)) }
    return MappingModel(
      sourcePath: top["sourcemodelpath"], destinationPath: top["destinationmodelpath"],
      entities: entities)
  }

  /// The objects of a relationship; each belongs to one other, so that none is read twice.
  private mutating func targets(
    _ object: MappingObject, _ relationship: String
  ) throws(Failure) -> [MappingObject] {
    var targets: [MappingObject] = []
    for id in object.references[relationship] ?? [] {
      guard let target = objects[id] else {
        throw object.problem("Its \(relationship) name the object \(id), which is not there.")
      }
      guard named.insert(id).inserted else {
        throw object.problem("Its \(relationship) name the object \(id), which was named before.")
      }
      targets.append(target)
    }
    return targets
  }

  private mutating func entity(_ object: MappingObject) throws(Failure) -> EntityMapping {
    let (source, destination) = (object["sourcename"], object["destinationname"])
    guard let either = destination ?? source else {
      throw object.problem("It maps neither from nor to an entity.")
    }
    // Xcode names a mapping after its entities unless the user names it.
    let usual = source.flatMap { from in destination.map { "\(from)To\($0)" } } ?? either
    return EntityMapping(
      name: object["name"] ?? usual, source: source, destination: destination,
      policyClass: object["migrationpolicyclassname"],
      sourceExpression: try object.expression("sourceexpressiondata", budget: budget),
      attributes: try properties(object, "attributemappings", hasSource: source != nil),
      relationships: try properties(object, "relationshipmappings", hasSource: source != nil))
  }

  private mutating func properties(
    _ object: MappingObject, _ relationship: String, hasSource: Bool
  )
    throws(Failure) -> [PropertyMapping]
  {
    var mappings: [PropertyMapping] = []
    for property in try targets(object, relationship) {
      guard let name = property["name"] else { throw property.problem("It has no name.") }
      // Nothing given means Xcode's default: the source's property of the same name.
      let unsaid = hasSource ? PropertyMapping.Value.source(name) : .none
      let said = try property.expression("valueexpressiondata", budget: budget)
        .map(PropertyMapping.value)
      mappings.append(
        PropertyMapping(name: name, value: said ?? unsaid, isExplicit: said != nil))
    }
    return mappings.sorted { NameOrder.precedes($0.name, $1.name) }
  }
}

/// One object of a mapping model's XML.
struct MappingObject {
  /// The kind, "XDDEVENTITYMAPPING".
  let type: String
  /// The id by which others refer to it.
  let id: String
  /// The ids that it refers to, by relationship.
  let references: [String: [String]]

  private let values: [String: String]
  private let line: Int

  /// The object that an element describes.
  init(_ element: XMLTree.Element) {
    type = element["type"] ?? ""
    id = element["id"] ?? ""
    line = element.line
    let values = element.children("attribute").map { ($0["name"] ?? "", $0.text) }
    self.values = Dictionary(values) { first, _ in first }
    let references = element.children("relationship").map { relationship in
      let ids = (relationship["idrefs"] ?? "").split(separator: " ").map(String.init)
      return (relationship["name"] ?? "", ids)
    }
    self.references = Dictionary(references) { first, _ in first }
  }

  /// A value, nil when it is empty.
  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// The place of an entity mapping among the others.
  var number: Int { self["mappingnumber"].flatMap(Int.init) ?? 0 }

  /// The expression in a value: base64 of a keyed archive.
  func expression(
    _ name: String, budget: UnfoldBudget
  ) throws(Failure) -> ModelExpression? {
    guard let text = self[name]?.filter({ !$0.isWhitespace }), !text.isEmpty else { return nil }
    do {
      let archive = try KeyedArchive(try Base64.decode(text), limits: CompiledModelReader.limits)
      return PredicateArchive.expression(CompiledObject(try archive.root, budget: budget))
    } catch {
      throw problem("Its \(name) cannot be read: \(error).")
    }
  }

  func problem(_ why: String) -> Failure {
    Failure(
      .unusableModel, what: "cannot read the mapping model", subject: "line \(line), object \(id)",
      why: why,
      remedy: "Open the mapping model in Xcode, correct it and save it again.")
  }
}
