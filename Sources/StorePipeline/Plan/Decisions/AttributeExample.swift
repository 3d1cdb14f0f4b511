internal import CoreDataStore
internal import Foundation
internal import StoreMigration

extension Attribute {
  /// A value that it can have, as Lua writes it, to be replaced by a better one; one that it can
  /// keep, or be converted from, as these attributes of later versions.
  func example(later: [Attribute] = []) -> String {
    if let text = defaultValue?.luaText { return text }
    if isOptional { return "nil" }
    return typeExample(later: later)
  }

  /// What a function gives back where there is no value, as Lua writes it; nil where none is known.
  var rest: String? {
    guard let plain = plainExample() else { return nil }
    return isOptional ? "nil" : defaultValue?.luaText ?? plain
  }

  /// A value of its type that obeys the rules; "nil" where none is known.
  func typeExample(later: [Attribute] = []) -> String {
    switch type {
    case .binary: "\"\""
    case .uuid: "uuid.named(\"\(name)\")"
    case .transformable: "plist.archive({})"
    default: plainExample(later: later) ?? "nil"
    }
  }

  /// The same where a pipeline file can write it; nil where none is known.
  func plainExample(later: [Attribute] = []) -> String? {
    guard let plain = type.facts.luaExample else { return nil }
    let all = [self] + later
    switch type.facts.form {
    case .text:
      let text = all.texts.first { text in all.allSatisfy { $0.takes(text, from: self) } }
      return text.map(LuaText.quoted)
    case .whole, .real, .decimal, .date:
      let numbers = [0] + all.flatMap(\.bounds)
      guard let number = numbers.first(where: { number in all.allSatisfy { $0.takes(number) } })
      else { return nil }
      guard number != 0 else { return plain }
      let text = Int64(exactly: number).map { "\($0)" } ?? "\(number)"
      return type == .decimal ? LuaText.quoted(text) : text
    default: return plain
    }
  }
}

// What the rules of a model allow; a predicate of another form is taken to allow all.
extension Attribute {
  fileprivate var bounds: [Double] {
    validation.compactMap { rule in
      switch rule {
      case .minimum(let bound): isWhole ? bound.number?.rounded(.up) : bound.number
      case .maximum(let bound): isWhole ? bound.number?.rounded(.down) : bound.number
      case .minimumLength, .maximumLength, .matches, .predicate: nil
      }
    }
  }

  private var isWhole: Bool { type.facts.range != nil }

  fileprivate func takes(_ number: Double) -> Bool {
    guard type.facts.isNumber || type == .date else { return true }
    return validation.allSatisfy { rule in
      switch rule {
      case .minimum(let bound): bound.number.map { $0 <= number } ?? true
      case .maximum(let bound): bound.number.map { $0 >= number } ?? true
      case .minimumLength, .maximumLength, .matches, .predicate: true
      }
    }
  }

  /// Whether it can have a text, or be converted from one of another attribute.
  fileprivate func takes(_ text: String, from first: Attribute) -> Bool {
    switch type.facts.form {
    case .text:
      // No text is the address of nothing.
      (type == first.type || type != .uri || text.contains("://"))
        && validation.allSatisfy { rule in
          switch rule {
          case .minimumLength(let length): text.utf16.count >= length
          case .maximumLength(let length): text.utf16.count <= length
          case .matches(let pattern): TextPattern(pattern)?.matches(text) ?? true
          case .minimum, .maximum, .predicate: true
          }
        }
    case .whole, .real, .decimal: Double(text).map(takes) ?? false
    case .boolean, .date: text == "0"
    case .uuid: UUID(uuidString: text) != nil
    case .bytes, .none: true
    }
  }
}

extension [Attribute] {
  /// Longer examples would hide the line that they stand in.
  private static let longest = 40

  /// Texts of which one may obey the rules.
  fileprivate var texts: [String] {
    let rules = flatMap(\.validation)
    let lengths = rules.compactMap { rule -> Int? in
      guard case .minimumLength(let length) = rule, 1...Self.longest ~= length else { return nil }
      return length
    }
    let numbers = flatMap(\.bounds).map { Int64(exactly: $0).map { "\($0)" } ?? "\($0)" }
    let isPatterned = rules.contains { if case .matches = $0 { true } else { false } }
    let patterned =
      !isPatterned
      ? []
      : (1...12).flatMap { count in
        ["0", "a", "A"].map { String(repeating: $0, count: count) }
      }
    return [""] + lengths.map { String(repeating: "-", count: $0) } + ["0"] + numbers
      + lengths.map { String(repeating: "0", count: $0) }
      + ["00000000-0000-4000-8000-000000000000", "https://example.com", "name@example.com"]
      + patterned
  }
}

extension ModelConstant {
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number), .date(let number): number
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    case .null, .boolean, .string, .uuid, .uri, .bytes, .object: nil
    }
  }
}
