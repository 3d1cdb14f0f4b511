package import CoreDataStore

/// What to write into a pipeline file, in its own language.
package enum SnippetText {
  /// Gives up an entity or a property.
  package static func drop(_ name: String) -> String { "drop { \"\(name)\" }" }

  /// Says what an entity, or one of its properties, has become.
  package static func rename(_ entity: String, to name: String) -> String {
    "rename { entity = \"\(entity)\", to = \"\(name)\" }"
  }

  /// The same for one of its properties.
  package static func rename(_ entity: String, _ property: String, to name: String) -> String {
    "rename { entity = \"\(entity)\", attributes = { \(key(property)) = \"\(name)\" } }"
  }

  /// Brings a source entity's objects to a target entity.
  package static func map(_ entity: String, from source: String) -> String {
    "map { entity = \"\(entity)\", from = \"\(source)\" }"
  }

  /// Says what an attribute of a target entity is made from.
  package static func map(_ entity: String, _ attribute: String, _ value: String) -> String {
    "map { entity = \"\(entity)\", attributes = { \(key(attribute)) = \(value) } }"
  }

  /// Takes the values of another attribute.
  package static func from(_ attribute: String) -> String { "from(\"\(attribute)\")" }

  /// Turns an attribute into another type.
  package static func convert(_ attribute: String, to type: AttributeType) -> String {
    "convert(\"\(attribute)\", \"\(type.name)\")"
  }

  /// Leaves out the objects that have no value.
  package static func filter(_ entity: String, _ property: String) -> String {
    "where { entity = \"\(entity)\", \"\(property) IS NOT NULL\" }"
  }

  /// Keeps one of many.
  static func one(_ relationship: String) -> String {
    "one { \"\(relationship)\", keep = \"first\" }"
  }

  /// A stage that makes one object of those that share a key.
  package static func dedupe(_ entity: String, _ key: [String]) -> String {
    let names = key.map { "\"\($0)\"" }
    let value = names.count == 1 ? names[0] : "{ \(names.joined(separator: ", ")) }"
    return "stage \"dedupe\" { entity = \"\(entity)\", key = \(value) }"
  }

  /// Gives an entity's objects to a script: to the one that has them already, where there is one.
  package static func script(_ entity: String, at path: String? = nil) -> String {
    let script = path ?? "\(entity.lowercased()).lua"
    return "stage \"transform\" { entity = \"\(entity)\", script = \"\(script)\" }"
  }

  /// The script that has an entity's objects already, or the stage that would give them to one.
  static func scriptOrStage(_ object: ObjectMapping) -> String {
    object.script.map { "the script \($0)" } ?? script(object.source)
  }

  /// Has a function of a script make an attribute's value from one of the source; nil where the
  /// source's name cannot be a parameter.
  static func function(_ attribute: String, of source: String?, _ result: String) -> String? {
    // A script reads a part from its composite attribute: "place.city".
    // A parameter `ctx` is the context.
    guard let source = source.map({ String($0.prefix { $0 != "." }) }), isName(source),
      source != "ctx"
    else { return nil }
    return "attributes = { \(key(attribute)) = function(\(source)) return \(result) end }"
  }

  /// A value of a type, to be replaced by a better one; nil where none can be written.
  package static func example(_ type: AttributeType) -> String? {
    type.facts.luaExample
  }

  /// A name as the key of a table: in brackets where Lua has no such name.
  private static func key(_ name: String) -> String { isName(name) ? name : "[\"\(name)\"]" }

  /// Whether it is a name of Lua's: "any string of Latin letters, digits, and underscores, not
  /// beginning with a digit and not being a reserved word" (reference manual, section 3.1).
  private static func isName(_ name: String) -> Bool {
    let isWord = name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9") ~= scalar)
    }
    return isWord && !words.contains(name) && name.first?.isNumber == false
  }

  /// The reserved words of Lua 5.4 (reference manual, section 3.1).
  private static let words: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}
