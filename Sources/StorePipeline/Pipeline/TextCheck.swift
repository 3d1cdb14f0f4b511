import CoreDataStore

extension OptionReader {
  /// A text as its type wants it.
  mutating func check(text: String, _ type: OptionType, at path: [String]) -> OptionValue? {
    guard !text.isEmpty else { return refuse(path, "must not be empty") }
    switch type {
    case .choice(let names): return choice(text, among: names, at: path)
    case .name(let kind): return name(text, kind, at: path)
    case .path(let kind): return self.path(text, kind, at: path)
    case .duration:
      guard let duration = DurationText.read(text) else {
        return refuse(path, "must be \(DurationText.expectation), not \(LuaText.quoted(text))")
      }
      return .duration(duration)
    case .size:
      guard let bytes = SizeText.read(text) else {
        return refuse(path, "must be \(SizeText.expectation), not \(LuaText.quoted(text))")
      }
      return .size(bytes)
    default: return .text(text)
    }
  }

  /// A conversion, when there is such a type of attributes.
  mutating func conversion(_ name: String, _ type: String, at path: [String]) -> OptionValue? {
    let opaque: Set<AttributeType> = [.undefined, .transformable, .objectID, .composite, .codable]
    let names = AttributeType.allCases.filter { !opaque.contains($0) }.map(\.name)
    guard names.contains(type) else {
      guard !names.contains(name) else {
        let form = "convert(\(LuaText.quoted(type)), \(LuaText.quoted(name)))"
        return refuse(path, "has its names the wrong way round: \(form)")
      }
      let meant = Self.typesElsewhere[type.lowercased()] ?? NearestName.of(type, among: names)
      let near = meant.map { "; did you mean \(LuaText.quoted($0))?" }
      let all = "; there are \(names.joined(separator: ", "))"
      return refuse(path, "converts to an unknown type \(LuaText.quoted(type))\(near ?? all)")
    }
    return .convert(name, to: type)
  }

  /// What Swift, Lua and SQL call the types of attributes, in small letters.
  private static let typesElsewhere = [
    "int16": "Integer 16", "int32": "Integer 32", "int64": "Integer 64", "int": "Integer 64",
    "integer": "Integer 64", "number": "Double", "real": "Double", "nsdecimalnumber": "Decimal",
    "text": "String", "bool": "Boolean", "timestamp": "Date", "datetime": "Date", "data": "Binary",
    "blob": "Binary", "url": "URI",
  ]

  private mutating func choice(
    _ text: String, among names: [String], at path: [String]
  ) -> OptionValue? {
    guard !names.contains(text) else { return .text(text) }
    let near = NearestName.of(text, among: names).map { "; did you mean \(LuaText.quoted($0))?" }
    let choices = names.map(LuaText.quoted).joined(separator: " or ")
    return refuse(path, "must be \(choices), not \(LuaText.quoted(text))\(near ?? "")")
  }

  private mutating func name(
    _ text: String, _ kind: OptionName, at path: [String]
  ) -> OptionValue? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isWhole = parts.allSatisfy { !$0.isEmpty }
    let (fits, form) =
      switch kind {
      case .entity: (parts.count == 1, "the name of an entity")
      // A part of a composite attribute is a property with a path: "Person.address.city".
      case .property: (parts.count > 1, "\"Entity.property\"")
      case .entityOrProperty: (true, "\"Entity\" or \"Entity.property\"")
      case .loss:
        (
          parts.count > 1 || ["*", "CloudKit"].contains(text),
          "\"Entity.property\", \"Entity.*\", \"*\" or \"CloudKit\""
        )
      }
    guard fits, isWhole else { return refuse(path, "must be \(form), not \(LuaText.quoted(text))") }
    return .text(text)
  }

  private mutating func path(
    _ text: String, _ kind: OptionPath, at path: [String]
  ) -> OptionValue? {
    guard !text.contains("\0") else { return refuse(path, "is not a path") }
    let place = PipelinePath.resolve(text, in: source.folder)
    if checksFiles, kind != .new, !PipelinePath.exists(place) {
      let near = PipelinePath.suggestion(for: place)
      return refuse(
        path,
        "names \(LuaText.quoted(text)), and there is no \(place)"
          + (near.isEmpty ? "; write the file, or correct its name" : near))
    }
    return .text(text)
  }
}
