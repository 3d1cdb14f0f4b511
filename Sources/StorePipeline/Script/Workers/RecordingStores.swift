import CoreDataStore
internal import StoreMigration

/// The stores as a script finds them ahead of its turn: the source can be read, and what is done to
/// the new store is noted, to be done when the object's turn comes.
///
/// Whatever depends on what is in the new store throws ``NeedsTurn``; the record is no good then,
/// even where the script catches the error.
final class RecordingStores: ScriptStores {
  /// The object has to wait for its turn; no user sees this.
  struct NeedsTurn: Error {}

  private let reader: ScriptedObjectReader
  private let sourceModel: Model
  private let targetModel: Model
  let mapping: Mapping?
  private var current: SourceObject?
  private(set) var needsTurn = false
  private(set) var record = CreateRecord()
  private var made = 0
  /// Values that objects it made were given, as the new store would give them back.
  private var known: [ObjectID: [String: AttributeValue]] = [:]
  /// What was linked last: nothing since has changed it.
  private var link: (object: ObjectID, relationship: String, others: [ObjectID])?
  /// Large values that were read of the current object, and where those in files are.
  private var large: [(attribute: String, bytes: [UInt8])] = []
  private var files: [ExternalReference: String] = [:]

  /// Shorter values are kept: to read them again costs as much.
  private static let fewestLarge = 4096

  init(_ reader: ScriptedObjectReader, source: Model, target: Model, _ mapping: Mapping?) {
    self.reader = reader
    self.mapping = mapping
    (sourceModel, targetModel) = (source, target)
  }

  /// Makes an object the current one, or none.
  func begin(_ source: SourceObject?) {
    current = source
    (record, made, needsTurn, link) = (CreateRecord(), 0, false, nil)
    (known, large, files) = ([:], [], [:])
  }

  /// Notes that the current object has to wait for its turn.
  func wait() -> NeedsTurn {
    needsTurn = true
    return NeedsTurn()
  }

  func model(of side: ScriptSide) -> Model { side == .source ? sourceModel : targetModel }
}

// What is read.
extension RecordingStores {
  func value(_ attribute: String, of object: ScriptObject) throws -> AttributeValue {
    guard object.side == .source else {
      guard let value = known[object.id]?[attribute] else { throw wait() }
      return value
    }
    let value = try source(object.id).value(attribute)
    if object.id == current?.id { keep(value, attribute) }
    return value
  }

  func destinations(_ relationship: String, of object: ScriptObject) throws -> [ObjectID] {
    let model = model(of: object.side)
    let isToMany = model.entity(named: object.id.entity)
      .flatMap { model.relationship(named: relationship, of: $0) }?.relationship.isToMany
    guard object.side == .source else {
      guard let link, link.object == object.id, link.relationship == relationship,
        isToMany == false
      else { throw wait() }
      return link.others
    }
    let source = try source(object.id)
    if isToMany == true { return try source.destinations(relationship) }
    return try source.destination(relationship).map { [$0] } ?? []
  }

  func bytes(of reference: ExternalReference, side: ScriptSide) throws -> [UInt8] {
    guard side == .source else { throw wait() }
    let bytes = try reader.bytes(of: reference)
    if let attribute = files[reference] { keep(.binary(bytes), attribute) }
    return bytes
  }

  private func source(_ id: ObjectID) throws -> SourceObject {
    if let current, current.id == id { return current }
    guard let found = try reader.source(id) else { throw wait() }
    return found
  }

  private func keep(_ value: AttributeValue, _ attribute: String) {
    switch value {
    case .external(let reference): files[reference] = attribute
    case .binary(let bytes), .transformable(let bytes):
      guard bytes.count >= Self.fewestLarge, !large.contains(where: { $0.attribute == attribute })
      else { return }
      large.append((attribute, bytes))
    default: break
    }
  }
}

// What is made.
extension RecordingStores {
  func makeDefault(_ source: ObjectID, as target: String) throws -> ObjectID {
    try make(target, .makeDefault(of: source, as: target))
  }

  func make(_ target: String, for source: ObjectID?) throws -> ObjectID {
    guard source == current?.id else { throw wait() }
    return try make(target, .make(target))
  }

  private func make(_ target: String, _ step: CreateRecord.Step) throws -> ObjectID {
    try note(step, bytes: 0)
    made += 1
    return ObjectID(entity: target, key: -Int64(made))
  }

  func set(_ object: ObjectID, _ values: [String: AttributeValue]) throws {
    var (given, bytes) = ([String: CreateRecord.Given](), 0)
    for (name, value) in values {
      let gift = self.given(value)
      if case .value(let value) = gift { bytes += 64 + value.length }
      given[name] = gift
    }
    try note(.set(try number(of: object), given), bytes: bytes)
    for (name, value) in values {
      known[object, default: [:]][name] = value.comesBackAsItIs ? value : nil
    }
  }

  func connect(_ object: ObjectID, _ relationship: String, _ others: [ObjectID]) throws {
    let step = CreateRecord.Step.connect(
      try number(of: object), relationship, try others.map(number))
    try note(step, bytes: 8 * others.count)
    link = (object, relationship, others)
  }

  private func note(_ step: CreateRecord.Step, bytes: Int) throws {
    guard !needsTurn else { throw NeedsTurn() }
    record.steps.append(step)
    record.byteCount += 96 + bytes
  }

  private func number(of object: ObjectID) throws -> Int {
    guard object.key < 0, object.key >= -Int64(made) else { throw wait() }
    return Int(-object.key) - 1
  }

  private func given(_ value: AttributeValue) -> CreateRecord.Given {
    let (bytes, isTransformable): ([UInt8], Bool)
    switch value {
    case .binary(let content): (bytes, isTransformable) = (content, false)
    case .transformable(let content): (bytes, isTransformable) = (content, true)
    default: return .value(value)
    }
    guard let same = large.first(where: { $0.bytes == bytes }) else { return .value(value) }
    return .source(attribute: same.attribute, isTransformable: isTransformable)
  }
}

// What only the new store shows.
extension RecordingStores {
  func associate(_ object: ObjectID, with source: ObjectID) throws { throw wait() }
  func made(from source: ObjectID) throws -> [ObjectID] { throw wait() }
  func sources(of object: ObjectID) throws -> [ObjectID] { throw wait() }

  func find(_ entity: String, where condition: ModelPredicate?, limit: Int) throws -> [ObjectID] {
    throw wait()
  }

  func count(_ entity: String, where condition: ModelPredicate?) throws -> Int { throw wait() }
}

extension AttributeValue {
  /// Whether a store gives back exactly this when it was given this.
  ///
  /// Decimals become integers and doubles; a real number's minus before zero gets lost.
  fileprivate var comesBackAsItIs: Bool {
    switch self {
    case .null, .integer, .boolean, .uuid: true
    case .real(let number), .date(let number): number != 0
    case .string, .uri, .binary, .transformable: length > 0
    case .decimal, .external, .unexpected: false
    }
  }

  /// The bytes of a text or of data.
  fileprivate var length: Int {
    switch self {
    case .string(let text), .uri(let text), .decimal(let text): text.utf8.count
    case .binary(let bytes), .transformable(let bytes): bytes.count
    default: 0
    }
  }
}
