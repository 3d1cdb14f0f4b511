internal import Formats

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
  ) throws(ModelError) -> ModelExpression? {
    guard let text = self[name]?.filter({ !$0.isWhitespace }), !text.isEmpty else { return nil }
    do {
      let archive = try KeyedArchive(try Base64.decode(text), limits: CompiledModelReader.limits)
      return PredicateArchive.expression(CompiledObject(try archive.root, budget: budget))
    } catch {
      throw problem("Its \(name) cannot be read: \(error).")
    }
  }

  /// An error at this object.
  func problem(_ why: String) -> ModelError {
    ModelError(
      what: "cannot read the mapping model", subject: "line \(line), object \(id)", why: why,
      remedy: "Open the mapping model in Xcode, correct it and save it again.")
  }
}
