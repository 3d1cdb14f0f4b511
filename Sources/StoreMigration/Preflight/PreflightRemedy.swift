internal import CoreDataStore

/// Lines of a pipeline file or script, each of which would settle one kind of failure.
struct PreflightRemedy {
  /// The lines.
  let lines: [String]

  /// The lines for a check of a mapping's objects; `link` is where a relationship comes from.
  init(_ object: ObjectMapping, _ check: RowCheck, link: PropertyReference?) {
    let script = SnippetText.script(object.source)
    let name = check.property.property
    let old = check.isRelationship ? link?.property : object.attribute(named: name)?.source
    switch check.rule {
    case .mandatory:
      let filter = old.map { SnippetText.filter(object.source, $0) }
      let type = check.isRelationship ? nil : check.storage?.type
      let value = type.flatMap(SnippetText.example)
      let given = value.flatMap { value in
        guard let old else { return SnippetText.map(object.target, name, value) }
        return SnippetText.function(name, of: old, "\(old) or \(value)")
          .map { "\(script) -- \($0)" }
      }
      lines = [filter, given ?? script].compactMap(\.self)
    case .value(let rule):
      let body = old.flatMap { Self.bounded($0, rule) }
      let function = body.flatMap { SnippetText.function(name, of: old, $0) }
      lines = [function.map { "\(script) -- \($0)" } ?? script]
    case .unique(let properties):
      lines = [
        SnippetText.dedupe(object.target, properties),
        "\(script) -- change or leave out all but one",
      ]
    default: lines = ["\(script) -- make the links in relate"]
    }
  }

  /// The nearest number that the rule allows.
  private static func bounded(_ name: String, _ rule: ValidationRule) -> String? {
    switch rule {
    case .minimum(.integer(let bound)): "\(name) and math.max(\(name), \(bound))"
    case .maximum(.integer(let bound)): "\(name) and math.min(\(name), \(bound))"
    case .minimum(.real(let bound)): "\(name) and math.max(\(name), \(bound))"
    case .maximum(.real(let bound)): "\(name) and math.min(\(name), \(bound))"
    default: nil
    }
  }
}
