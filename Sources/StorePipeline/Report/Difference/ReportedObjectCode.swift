internal import CoreDataStore
internal import Formats
internal import StoreMigration

// How an object of a report is written down while others are looked for, and read again.

extension ByteWriter {
  mutating func add(_ object: ReportedObject) {
    add(object.group)
    add(object.change.rawValue)
    add(object.entity)
    add(object.source) { $0.add($1) }
    add(object.object) { $0.add($1) }
    add(object.values) { $0.add($1) }
    add(object.links) { $0.add($1) }
  }

  private mutating func add(_ id: ObjectID) {
    add(id.entity)
    add(id.key)
  }

  private mutating func add(_ value: ReportedChange) {
    add(value.attribute)
    add(value.change.rawValue)
    add(value.old)
    add(value.new)
  }

  private mutating func add(_ link: ChangedLink) {
    add(link.relationship)
    add(link.lost) { $0.add($1) }
    add(link.lostCount)
    add(link.gained) { $0.add($1) }
    add(link.gainedCount)
    add(link.isReordered)
    add(link.isRemoved)
  }

  private mutating func add(code: ReportedValue.Code) { add(UInt64(code.rawValue)) }

  private mutating func add(_ value: ReportedValue) {
    switch value {
    case .none: add(code: .none)
    case .hidden: add(code: .hidden)
    case .digest(let digest): add(code: .digest, digest)
    case .boolean(let truth):
      add(code: .boolean)
      add(truth)
    case .integer(let number):
      add(code: .integer)
      add(number)
    case .real(let number):
      add(code: .real)
      add(number)
    case .decimal(let digits): add(code: .decimal, digits)
    case .date(let seconds):
      add(code: .date)
      add(seconds)
    case .text(let text): add(code: .text, text)
    case .uuid(let text): add(code: .uuid, text)
    case .data(let bytes, let sha256, let kind, let image):
      add(code: .data, sha256)
      add(bytes)
      add(kind?.rawValue) { $0.add($1) }
      add(image) { $0.add($1) }
    case .lost(let name): add(code: .lost, name)
    case .unexpected(let words): add(code: .unexpected, words)
    }
  }

  private mutating func add(code: ReportedValue.Code, _ text: String) {
    add(code: code)
    add(text)
  }
}

extension ReportedValue {
  /// The kinds of values, by the number that is written.
  fileprivate enum Code: Int {
    case none, hidden, digest, boolean, integer, real, decimal, date, text, uuid, data, lost
    case unexpected
  }
}

extension ByteReader {
  mutating func object() throws(Damage) -> ReportedObject {
    let (group, change) = (try count(), try text())
    guard let change = ChangedObject.Change(rawValue: change) else { throw Damage() }
    return ReportedObject(
      group: group, change: change, entity: try text(),
      source: try optional { (reader) throws(Damage) in try reader.id() },
      object: try optional { (reader) throws(Damage) in try reader.id() },
      values: try list { (reader) throws(Damage) in try reader.change() },
      links: try list { (reader) throws(Damage) in try reader.link() })
  }

  private mutating func id() throws(Damage) -> ObjectID {
    ObjectID(entity: try text(), key: try integer())
  }

  private mutating func change() throws(Damage) -> ReportedChange {
    let (attribute, change) = (try text(), try text())
    guard let change = ChangedValue.Change(rawValue: change) else { throw Damage() }
    return ReportedChange(attribute: attribute, change: change, old: try value(), new: try value())
  }

  private mutating func link() throws(Damage) -> ChangedLink {
    var link = ChangedLink(try text())
    let lost = try list { (reader) throws(Damage) in try reader.id() }
    let lostCount = try count()
    let gained = try list { (reader) throws(Damage) in try reader.id() }
    let gainedCount = try count()
    link.note(lost: lost, of: lostCount, gained: gained, of: gainedCount)
    if try truth() { link.reorder() }
    if try truth() { link.remove() }
    return link
  }

  private mutating func value() throws(Damage) -> ReportedValue {
    guard let kind = Int(exactly: try unsigned()).flatMap(ReportedValue.Code.init) else {
      throw Damage()
    }
    switch kind {
    case .none: return .none
    case .hidden: return .hidden
    case .digest: return .digest(try text())
    case .boolean: return .boolean(try truth())
    case .integer: return .integer(try integer())
    case .real: return .real(try real())
    case .decimal: return .decimal(try text())
    case .date: return .date(try real())
    case .text: return .text(try text())
    case .uuid: return .uuid(try text())
    case .data: return try data()
    case .lost: return .lost(try text())
    case .unexpected: return .unexpected(try text())
    }
  }

  private mutating func data() throws(Damage) -> ReportedValue {
    let (sha256, bytes) = (try text(), try count())
    let kind = try optional { (reader) throws(Damage) in try reader.text() }
    let image = try optional { (reader) throws(Damage) in try reader.count() }
    return .data(
      bytes: bytes, sha256: sha256, kind: kind.flatMap(ImageKind.init(rawValue:)), image: image)
  }
}
