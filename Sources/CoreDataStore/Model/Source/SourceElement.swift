internal import Formats

// What the readers of a model's XML ask of its elements.

extension XMLTree.Element {
  /// The value of an attribute that must be there.
  func needed(_ attribute: String) throws(Failure) -> String {
    guard let value = filled(attribute) else {
      throw problem("<\(name)> has no \(attribute).")
    }
    return value
  }

  /// The value of an attribute, nil when it is empty.
  func filled(_ attribute: String) -> String? {
    guard let value = self[attribute], !value.isEmpty else { return nil }
    return value
  }

  /// Whether a box is ticked.
  func isYes(_ attribute: String) -> Bool { self[attribute] == "YES" }

  /// The whole number of an attribute, nil when it is absent.
  func integer(_ attribute: String) throws(Failure) -> Int? {
    guard let text = filled(attribute) else { return nil }
    guard let value = Int(text) else {
      throw problem("\(attribute)=\"\(text)\" is not a whole number.")
    }
    return value
  }

  /// The name in the version before; Xcode writes it as `elementID`, sometimes the name itself.
  var renamingIdentifier: String? {
    filled("elementID").flatMap { $0 == self["name"] ? nil : $0 }
  }

  /// The entries that the application added to the definition.
  var userInfo: [String: String] {
    let entries = children("userInfo").flatMap { $0.children("entry") }
    let pairs = entries.compactMap { entry in entry["key"].map { ($0, entry["value"] ?? "") } }
    return Dictionary(pairs) { _, last in last }
  }

  /// An error at this element.
  func problem(_ why: String) -> Failure {
    let title = self["name"].map { "<\(name) name=\"\($0)\">" } ?? "<\(name)>"
    return Failure(readingModel: "line \(line), \(title)", why: why, remedy: Failure.fixModel)
  }
}
