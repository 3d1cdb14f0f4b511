internal import CoreDataStore

extension Attribute {
  /// A value that it can have, as Lua writes it, to be replaced by a better one.
  var example: String {
    if let text = defaultValue?.luaText { return text }
    if isOptional { return "nil" }
    return typeExample
  }

  /// A value of its type, as Lua writes it.
  var typeExample: String {
    switch type {
    case .binary: "\"\""
    case .uuid: "uuid.named(\"\(name)\")"
    case .transformable: "plist.archive({})"
    default: type.facts.luaExample ?? "nil"
    }
  }
}
