internal import Formats

/// One element of an XML document that is being written.
struct XMLText {
  private let name: String
  private var attributes: [(name: String, value: String)] = []
  private var children: [XMLText] = []

  /// An element without anything in it.
  init(_ name: String) { self.name = name }

  /// Adds an attribute, unless it has no value.
  mutating func add(_ attribute: String, _ value: String?) {
    if let value { attributes.append((attribute, value)) }
  }

  /// Adds an attribute that is only written when it is true.
  mutating func add(_ attribute: String, if isYes: Bool) {
    if isYes { attributes.append((attribute, "YES")) }
  }

  /// Adds an element.
  mutating func add(_ child: XMLText) { children.append(child) }

  /// Adds an element with one attribute.
  mutating func add(_ child: String, _ attribute: String, _ value: String) {
    var element = XMLText(child)
    element.add(attribute, value)
    add(element)
  }

  /// The element and all in it, indented as Xcode does.
  func text(indent: String = "") -> String {
    let words = attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
    guard !children.isEmpty else { return "\(indent)<\(name)\(words)/>\n" }
    let inner = children.map { $0.text(indent: indent + "    ") }.joined()
    return "\(indent)<\(name)\(words)>\n\(inner)\(indent)</\(name)>\n"
  }

  /// XML 1.0, 3.3.3: white space in an attribute is read as a space unless it is a reference; what
  /// else cannot be seen is one as well, because the text may go to a terminal.
  private static func escaped(_ text: String) -> String {
    text.spelling { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case _ where scalar.isUnseen: "&#\(scalar.value);"
      default: nil
      }
    }
  }
}
