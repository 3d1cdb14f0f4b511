import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport

/// Two stores made of XML and SQL, and what a comparison finds.
struct ComparisonSample {
  let first: ComparedStore
  let second: ComparedStore

  /// The insides of a model with everything that is compared.
  static let shop = """
    <entity name="Item"><attribute name="name" attributeType="String" optional="YES"/>
    <attribute name="size" attributeType="Double" optional="YES"/>
    <attribute name="count" attributeType="Integer 32" optional="YES"/>
    <attribute name="bought" attributeType="Date" optional="YES"/>
    <attribute name="picture" attributeType="Binary" optional="YES" \
    allowsExternalBinaryDataStorage="YES"/>
    <relationship name="box" maxCount="1" optional="YES" destinationEntity="Box" \
    inverseName="items" inverseEntity="Box"/>
    <relationship name="tags" toMany="YES" optional="YES" destinationEntity="Tag" \
    inverseName="items" inverseEntity="Tag"/></entity>
    <entity name="Box"><attribute name="label" attributeType="String" optional="YES"/>
    <relationship name="items" toMany="YES" optional="YES" ordered="YES" destinationEntity="Item" \
    inverseName="box" inverseEntity="Item"/></entity>
    <entity name="Tag"><attribute name="word" attributeType="String" optional="YES"/>
    <relationship name="items" toMany="YES" optional="YES" destinationEntity="Item" \
    inverseName="tags" inverseEntity="Item"/></entity>
    """

  /// Three items in two boxes, with a tag.
  static let rows = """
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (1, 1, 1, 'blue'), (2, 1, 1, 'red');
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZWORD) VALUES (1, 3, 1, 'old'), (2, 3, 1, 'new');
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSIZE, ZCOUNT, ZBOUGHT, ZBOX, Z_FOK_BOX, ZPICTURE)
    VALUES (1, 2, 1, 'cup', 0.0, 4, 700000000, 1, 2048, x'01AABB'),
      (2, 2, 1, 'pan', 2.5, NULL, NULL, 1, 3072, NULL),
      (3, 2, 1, 'pot', 3.5, 1, 700000000.5, 2, 2048, NULL);
    INSERT INTO Z_2TAGS (Z_2ITEMS, Z_3TAGS) VALUES (1, 1), (2, 1), (2, 2);
    """

  /// Two stores; each has its SQL run when its tables are there.
  init(
    _ before: String = shop, _ after: String? = nil, rows: String = rows, first: String = "",
    second: String = "", secondRows: String? = nil
  ) throws {
    self.first = try Self.store("a.sqlite", before, "1", rows + first)
    self.second = try Self.store("b.sqlite", after ?? before, "2", (secondRows ?? rows) + second)
  }

  init(first: ComparedStore, second: ComparedStore) {
    (self.first, self.second) = (first, second)
  }

  /// What a count of losses knows of the columns.
  func keptColumns() throws -> KeptColumns {
    // A process opens a file once at a time.
    let stores = try [first, second].map { store in
      let path = store.path + "-copy"
      try FileManager.default.copyItem(atPath: store.path, toPath: path)
      return VerifiedStore(
        path: path, schema: store.schema, externalFolders: store.externalFolders)
    }
    let mapping = Mapping(
      from: first.schema.model, to: second.schema.model, instructions: MappingInstructions())
    let count = try LossCount(of: stores[0], in: stores[1], [mapping], associations: nil)
    _ = try count.run()
    return count.keptColumns
  }

  /// One store.
  static func store(
    _ name: String, _ body: String, _ version: String, _ sql: String
  ) throws -> ComparedStore {
    let model = try MappingModels.model(body, name: version)
    let path = TemporaryFolder.url.appending(path: name).path
    let contents = NewStoreContents(uuid: "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11")
    let store = try NewStore(at: path, schema: StoreSchema(of: model), contents: contents)
    try store.make(.tables)
    try store.connection.execute(sql)
    try store.make(.indexes)
    try store.close()
    return try ComparedStore(Store(path), model: model)
  }

  /// What differs, one line an object, and the counts.
  func compare(
    _ choices: ComparisonChoices = ComparisonChoices()
  ) throws -> (lines: [String], difference: StoreDifference) {
    var lines: [String] = []
    let difference = try StoreComparison(first, second, choices: choices).run { object in
      lines.append(Self.line(object))
    }
    return (lines, difference)
  }

  private static func line(_ object: ChangedObject) -> String {
    let values = object.values.map { "\($0.attribute) \(text($0.old)) -> \(text($0.new))" }
    let links = object.links.map { link in
      let lost = link.lost.map { "-\($0.entity) \($0.key)" }
      let gained = link.gained.map { "+\($0.entity) \($0.key)" }
      let parts = lost + gained + (link.isReordered ? ["reordered"] : [])
      return "\(link.relationship) \(parts.joined(separator: " "))"
    }
    return "\(object.change) \(object.entity) \(object.key): "
      + (values + links).joined(separator: "; ")
  }

  private static func text(_ value: ComparedValue) -> String {
    switch value {
    case .absent: "absent"
    case .data(let data): "\(data.bytes) bytes \(data.sha256.prefix(2).map(Int.init))"
    case .lost: "lost"
    case .value(.null): "nil"
    case .value(.string(let text)): "'\(text)'"
    case .value(.integer(let number)): "\(number)"
    case .value(.real(let number)), .value(.date(let number)): "\(number)"
    case .value(let other): "\(other)"
    }
  }
}
