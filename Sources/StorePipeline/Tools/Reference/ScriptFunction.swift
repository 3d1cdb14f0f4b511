/// A function that scripts may call, and everything that is said of it anywhere.
package struct ScriptFunction: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package let name: String
    /// Its type, as lua-language-server writes it.
    package let type: String
    /// Whether it may be left out.
    package let isOptional: Bool
  }

  /// What shows how it is used; each is run by a test.
  package enum Example: Sendable, Hashable {
    /// An expression, and what it gives.
    case value(String, gives: String)
    /// Fields of a script for the notes of samples/Notes, and how many objects meet a condition
    /// then.
    case script(String, leaves: String, count: Int64)
    /// Fields of a script for these notes, and the message that it fails with.
    case failure(String, message: String)
  }

  /// Its name, "text.trim".
  package let name: String
  package let parameters: [Parameter]
  /// What it returns, as lua-language-server writes types; empty for nothing.
  package let returns: String
  /// What it does, in a sentence or two.
  package let text: String
  /// How it is used.
  package let example: Example

  /// A function; each parameter is written "name: type", or "name?: type" where it may be left out.
  init(
    _ name: String, _ parameters: String = "", _ returns: String = "", _ text: String,
    _ example: Example
  ) {
    self.name = name
    self.returns = returns
    self.text = text
    self.example = example
    self.parameters = parameters.split(separator: ", ").map { part in
      let halves = part.split(separator: ": ", maxSplits: 1).map(String.init)
      let isOptional = halves[0].hasSuffix("?")
      return Parameter(
        name: isOptional ? String(halves[0].dropLast()) : halves[0],
        type: halves.count > 1 ? halves[1] : "any", isOptional: isOptional)
    }
  }

  /// The module it is in, "text"; empty for a word of its own.
  package var module: String {
    name.contains(".") ? name.split(separator: ".").first.map(String.init) ?? "" : ""
  }

  /// The call as people write it, "text.split(s, separator, most)".
  package var call: String { "\(name)(\(parameters.map(\.name).joined(separator: ", ")))" }
}
