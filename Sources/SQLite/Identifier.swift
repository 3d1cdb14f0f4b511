/// Names in SQL text.
package enum Identifier {
  /// The name in double quotes, as SQL wants it whatever the name contains.
  ///
  /// "A keyword in double-quotes is an identifier" (SQLite, SQL Keywords); a quote inside is
  /// doubled. A name with a NUL cannot be said in SQL at all: preparing such a text fails.
  package static func quoted(_ name: String) -> String {
    // Most names have none.
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
    var result = "\""
    for character in name.unicodeScalars {
      if character == "\"" { result.unicodeScalars.append(character) }
      result.unicodeScalars.append(character)
    }
    return result + "\""
  }

  /// `"schema"."name"`.
  package static func quoted(_ name: String, in schema: String) -> String {
    quoted(schema) + "." + quoted(name)
  }
}
