internal import CoreDataStore
import Foundation

/// Finds where each stored attribute of one target entity comes from.
struct AttributeInference {
  private let context: MappingContext
  private let pair: PropertyPairing
  private let claims: [ScriptClaim]
  /// The stage with the entity's script.
  private let script: String

  /// The stored attributes of the target, by name.
  private(set) var attributes: [AttributeMapping] = []
  /// What could not be answered.
  private(set) var found: [FoundProblem] = []
  /// What the file says of them that cannot be.
  private(set) var problems: [MappingProblem] = []

  init(_ pair: PropertyPairing, in context: MappingContext) {
    (self.context, self.pair) = (context, pair)
    claims = context.claims(on: pair.from)
    script = SnippetText.script(pair.from.name, at: claims.first?.path)
    for attribute in context.target.allAttributes(of: pair.to) where attribute.isStored {
      attributes.append(mapping(of: attribute))
    }
    // Core Data looks at entities, not at objects: it refuses the types of an abstract one, too.
    if claims.contains(where: \.makesObjects) {
      found.removeAll { $0.kind != .unsupported }
    } else if pair.from.isAbstract {
      // Those with objects that inherit speak for it.
      let hasObjects = context.source.descendants(of: pair.from).contains { !$0.isAbstract }
      found.removeAll { hasObjects ? $0.kind != .unsupported : $0.kind == .loss }
    }
  }

  private mutating func mapping(of attribute: Attribute) -> AttributeMapping {
    if claims.contains(where: { $0.attributes.contains(attribute.name) }) {
      return made(attribute, .script, .scripted)
    }
    guard attribute.isSupported else { return unsupported(attribute) }
    let map = instruction(for: attribute.name)
    if attribute.derivation != nil {
      let why = "It is computed from other properties and takes no value."
      if let map { refuse(attribute, why, nil, map) }
      return made(attribute, .derivation, .derived)
    }
    guard let map, let value = map.attributes[attribute.name] else { return inferred(attribute) }
    return instructed(attribute, value, by: map)
  }

  private func made(
    _ attribute: Attribute, _ origin: AttributeMapping.Origin, _ rule: MappingRule,
    from old: Attribute? = nil
  ) -> AttributeMapping {
    let becomesMandatory = old?.isOptional == true && !attribute.isOptional
    return AttributeMapping(
      name: attribute.name, origin: origin, rule: rule,
      replacement: becomesMandatory ? attribute.storedDefault : nil,
      storage: old.map { Self.storage($0, attribute) } ?? .none)
  }

  private static func storage(
    _ old: Attribute, _ new: Attribute
  ) -> AttributeMapping.StorageChange {
    switch (old.usesExternalStorage, new.usesExternalStorage) {
    case (false, true): .gainsExternalStorage
    case (true, false): .losesExternalStorage
    default: .none
    }
  }

  private mutating func report(
    _ attribute: Attribute, _ why: String, _ kind: MappingProblem.Kind = .notInferable,
    snippet: @escaping (String) -> String?
  ) {
    found.append(FoundProblem(kind, .target, pair.to, attribute.name, why: why, snippet: snippet))
  }
}

// What Core Data infers.
extension AttributeInference {
  private mutating func inferred(_ attribute: Attribute) -> AttributeMapping {
    guard let old = pair.source(of: attribute.name) as? Attribute, old.isStored,
      old.derivation == nil
    else { return added(attribute) }
    return carried(attribute, from: old)
  }

  private mutating func unsupported(_ attribute: Attribute) -> AttributeMapping {
    report(
      attribute, "Attributes of the type \(attribute.type.name) are not supported.", .unsupported
    ) { _ in nil }
    return made(attribute, .null, .null)
  }

  private mutating func carried(_ attribute: Attribute, from old: Attribute) -> AttributeMapping {
    // What is conditional the preflight looks at, object by object.
    let obstacle = pair.ambiguity(of: old.name) ?? InferenceRules.answer(old, attribute).obstacle
    guard let obstacle else { return carriedOver(attribute, from: old) }
    let conversion = Conversion(from: old.type, to: attribute.type)
    let value =
      old.type == attribute.type
      ? SnippetText.from(old.name)
      : conversion.map { _ in SnippetText.convert(old.name, to: attribute.type) }
    report(attribute, sentence(obstacle)) { [script] entity in
      value.map { SnippetText.map(entity, attribute.name, $0) }
        ?? script
    }
    return made(attribute, .source(old.name, conversion), .converted, from: old)
  }

  /// Core Data converts nothing: a number of another type stands in the new column as it was.
  private mutating func carriedOver(
    _ attribute: Attribute, from old: Attribute
  ) -> AttributeMapping {
    guard let conversion = Conversion(carrying: old.type, as: attribute.type) else {
      return made(attribute, .source(old.name, nil), pair.rule(of: attribute.name), from: old)
    }
    if conversion.losesPrecision, !pair.from.isAbstract,
      !context.accepts(lossOf: old.name, of: pair.from)
    {
      reportMisfits(attribute, from: old, conversion)
    }
    return made(attribute, .source(old.name, conversion), .converted, from: old)
  }

  /// Values that the new type cannot give back are a loss, where a store has any.
  private mutating func reportMisfits(
    _ attribute: Attribute, from old: Attribute, _ conversion: Conversion
  ) {
    let convert = SnippetText.convert(old.name, to: attribute.type)
    let target = pair.to.name
    found.append(
      FoundProblem(
        .loss, .source, pair.from, old.name,
        why: "Core Data carries numbers over as they are, and those that an attribute of the type "
          + "\(attribute.type.name) cannot hold would not be read as they were."
      ) { _ in
        Conversion(from: old.type, to: attribute.type)
          .map { _ in SnippetText.map(target, attribute.name, convert) }
      })
  }

  private mutating func added(_ attribute: Attribute) -> AttributeMapping {
    if let value = attribute.storedDefault { return made(attribute, .value(value), .default) }
    switch attribute.defaultValue {
    case nil, .null: break
    case .object:
      report(attribute, "Its default is an object that only its application can make.") {
        [script] _ in script
      }
    case .boolean, .integer, .real, .decimal, .string, .date, .uuid, .uri, .bytes:
      report(attribute, "Its default is no value of the type \(attribute.type.name).") {
        [script] entity in
        SnippetText.example(attribute.type).map { SnippetText.map(entity, attribute.name, $0) }
          ?? script
      }
    }
    return made(attribute, .null, .null)
  }

  private func sentence(_ obstacle: String) -> String {
    obstacle.prefix(1).uppercased() + obstacle.dropFirst() + "."
  }
}

// What the file says.
extension AttributeInference {
  /// The instruction nearest to the entity; one for its very source before one for all.
  private func instruction(for attribute: String) -> EntityMap? {
    for ancestor in context.target.lineage(of: pair.to) {
      let here = context.maps(into: ancestor).filter { $0.attributes[attribute] != nil }
      let special = here.first { map in
        map.source.flatMap(context.source.entity(named:))
          .map { context.source.entity(pair.from, inheritsFrom: $0) } ?? false
      }
      if let found = special ?? here.first(where: { $0.source == nil }) { return found }
    }
    return nil
  }

  private mutating func instructed(
    _ attribute: Attribute, _ value: EntityMap.Value, by map: EntityMap
  ) -> AttributeMapping {
    switch value {
    case .constant(let constant): return constantly(attribute, constant, by: map)
    case .from(let name): return instructed(attribute, from: name, isConverted: false, by: map)
    case .convert(let name, let type):
      if case .unknown = type { return inferred(attribute) }
      guard type == attribute.type else {
        refuse(
          attribute, "It is \(attribute.type.name), and convert makes \(type.name).",
          SnippetText.convert(name, to: attribute.type), map)
        return made(attribute, .source(name, nil), .converted)
      }
      return instructed(attribute, from: name, isConverted: true, by: map)
    }
  }

  private mutating func constantly(
    _ attribute: Attribute, _ constant: ModelConstant, by map: EntityMap
  ) -> AttributeMapping {
    switch ConstantFit.value(constant, for: attribute) {
    case .null: return made(attribute, .null, .constant)
    case let value?: return made(attribute, .value(value), .constant)
    case nil:
      let article = attribute.isOptional ? "an optional" : "a mandatory"
      let loss = ConstantFit.loss(of: constant, in: attribute.type)
      refuse(
        attribute,
        loss ?? "The value does not fit \(article) attribute of type \(attribute.type.name).",
        loss == nil ? SnippetText.example(attribute.type) : nil, map)
      return made(attribute, .null, .null)
    }
  }

  private mutating func instructed(
    _ attribute: Attribute, from name: String, isConverted: Bool, by map: EntityMap
  ) -> AttributeMapping {
    // A name that is not there was reported, or is another version's: then nothing was said.
    guard let old = pair.old[name] as? Attribute, old.isStored else { return inferred(attribute) }
    guard old.type != attribute.type else {
      let rule: MappingRule = name == attribute.name ? .same : .renamedInFile
      return made(attribute, .source(name, nil), rule, from: old)
    }
    guard let conversion = Conversion(from: old.type, to: attribute.type) else {
      refuse(
        attribute, "No rule turns \(old.type.name) into \(attribute.type.name); a script can.",
        nil, map, script)
      return made(attribute, .source(name, nil), .converted)
    }
    if !isConverted, !conversion.isHarmless {
      refuse(
        attribute,
        "Turning \(old.type.name) into \(attribute.type.name) can fail or lose precision "
          + "(\(conversion.rule)), so it has to be said.",
        SnippetText.convert(name, to: attribute.type), map)
    }
    return made(attribute, .source(name, conversion), .converted, from: old)
  }

  /// A problem with an instruction, reported for the entity that the instruction names.
  private mutating func refuse(
    _ attribute: Attribute, _ why: String, _ value: String?, _ map: EntityMap,
    _ snippet: String? = nil
  ) {
    problems.append(
      MappingProblem(
        .instruction, "\(map.entity).\(attribute.name)", why: why,
        snippet: value.map { SnippetText.map(map.entity, attribute.name, $0) } ?? snippet,
        line: map.line))
  }
}

extension Attribute {
  /// The default that a store can hold.
  fileprivate var storedDefault: ModelConstant? {
    guard let value = defaultValue?.normalized(for: type), value != .null,
      AttributeStorage(of: self).stored(constant: value) != nil
    else { return nil }
    return value
  }

  /// Whether values of its type can be carried over.
  var isSupported: Bool {
    switch type {
    case .composite, .unknown: false
    default: true
    }
  }
}
