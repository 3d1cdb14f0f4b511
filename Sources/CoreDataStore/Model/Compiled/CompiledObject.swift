internal import Formats

// What the readers of a compiled model ask of its objects.

extension KeyedArchive.Object {
  /// Whether something is true; what is absent is not.
  func flag(_ key: String) -> Bool { self[key]?.bool ?? false }

  /// A whole number, 0 when it is absent.
  func count(_ key: String) -> Int { Int(truncatingIfNeeded: self[key]?.integer ?? 0) }

  /// A text, nil when it is empty.
  func filled(_ key: String) -> String? {
    self[key]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The name in the version before; Core Data gives the name itself where none was set.
  func renamingIdentifier(of name: String) -> String? {
    filled("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
  }

  /// The entries that the application wrote beside the definition, as far as they are text.
  var userInfo: [String: String] {
    var userInfo: [String: String] = [:]
    for (key, value) in self["NSUserInfo"]?.entries ?? [] {
      guard let name = key.string, let text = value.string else { continue }
      userInfo[name] = text
    }
    return userInfo
  }

  /// The object as a constant.
  var constant: ModelConstant {
    if isNull { return .null }
    switch number {
    case .bool(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    default: break
    }
    return text ?? .object(className ?? "unknown")
  }

  private var text: ModelConstant? {
    if let string { return .string(string) }
    if let date { return .date(date) }
    if let uuid { return ModelConstant(uuid: uuid) }
    if let url { return .uri(url) }
    if let decimal { return ModelConstant(text: decimal, type: .decimal) }
    return data.map(ModelConstant.bytes)
  }
}
