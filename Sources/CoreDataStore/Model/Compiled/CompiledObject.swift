internal import Formats

/// One object of a compiled model, which pays from the model's budget for all that is asked of it.
struct CompiledObject {
  private let object: KeyedArchive.Object
  private let budget: UnfoldBudget

  init(_ object: KeyedArchive.Object, budget: UnfoldBudget) {
    self.object = object
    self.budget = budget
  }

  /// The object's number in the archive: two are the same when theirs is.
  var index: Int { object.index }

  /// Pays for a property, which takes more room than the objects that it is read from.
  func payForProperty() { budget.spend(parts: 8) }

  /// What was archived under a key, unless it is nil or NSNull.
  ///
  /// To look for a key takes as long as the object is large.
  subscript(key: String) -> CompiledObject? {
    guard budget.spend(parts: 0, bytes: object.size) else { return nil }
    return object[key].flatMap { budget.spend() ? CompiledObject($0, budget: budget) : nil }
  }

  /// The elements of an array, a set or an ordered set.
  var elements: [CompiledObject]? {
    guard let elements = object.elements, budget.spend(parts: elements.count) else { return nil }
    return elements.map { CompiledObject($0, budget: budget) }
  }

  /// The keys and values of a dictionary, in the order of the archive.
  var entries: [(key: CompiledObject, value: CompiledObject)]? {
    guard let entries = object.entries, budget.spend(parts: 2 * entries.count) else { return nil }
    return entries.map {
      (CompiledObject($0.key, budget: budget), CompiledObject($0.value, budget: budget))
    }
  }

  /// The name of the class, of an object that has one.
  var className: String? {
    budget.spend(parts: 0, bytes: object.size) ? object.className : nil
  }

  /// Whether this is an object of a class or of one below it.
  func isKind(of name: String) -> Bool {
    budget.spend(parts: 0, bytes: object.size) && object.isKind(of: name)
  }

  /// Whether this is nil or NSNull.
  var isNull: Bool { object.isNull }

  var string: String? {
    guard let text = object.string, budget.spend(parts: 0, bytes: text.utf8.count) else {
      return nil
    }
    return text
  }

  /// The whole number; truth values count as 0 and 1.
  var integer: Int64? { object.integer }

  /// The truth value; whole numbers count as true unless they are 0.
  var bool: Bool? { object.bool }
}

// What the readers of a compiled model ask of its objects.
extension CompiledObject {
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

  /// The entries that the application added to the definition, as far as they are text.
  var userInfo: [String: String] {
    var userInfo: [String: String] = [:]
    for (key, value) in self["NSUserInfo"]?.entries ?? [] {
      guard let name = key.string, let text = value.string else { continue }
      userInfo[name] = text
    }
    return userInfo
  }

  var constant: ModelConstant {
    if isNull { return .null }
    switch object.number {
    case .bool(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    default: break
    }
    return text ?? .object(className ?? "unknown")
  }

  private var text: ModelConstant? {
    if let string { return .string(string) }
    if let date = object.date { return .date(date) }
    if let uuid = object.uuid { return ModelConstant(uuid: uuid) }
    if let url = object.url, budget.spend(parts: 0, bytes: url.utf8.count) { return .uri(url) }
    if let decimal = object.decimal { return ModelConstant(text: decimal, type: .decimal) }
    guard let data = object.data, budget.spend(parts: 0, bytes: data.count) else { return nil }
    return .bytes(data)
  }
}
