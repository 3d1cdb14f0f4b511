import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("Small stores taken from others", .temporaryFolder) struct FixtureSamplingTests {
  /// A store in all its kinds of properties: an abstract parent, orders, pairs, a to-many without
  /// inverse, a unique name, files, archives, and values of every type.
  private static let models =
    M.entity(
      "Thing", abstract: true, M.attribute("name"), M.attribute("made", "Date"),
      M.toMany("tags", "Tag", inverse: "things", ordered: true))
    + M.entity(
      "Box", parent: "Thing", M.attribute("size", "Double"),
      M.toMany("cups", "Cup", inverse: "box", ordered: true), M.toMany("labels", "Label"))
    + M.entity(
      "Cup", parent: "Thing", M.attribute("price", "Decimal"), M.attribute("code", "Integer 64"),
      M.attribute("full", "Boolean"), M.toOne("box", "Box", inverse: "cups"),
      M.toOne("owner", "Thing"))
    + M.entity(
      "Tag", M.attribute("word"), M.attribute("page", "URI"), M.attribute("key", "UUID"),
      M.toMany("things", "Thing", inverse: "tags"), M.unique("word"))
    + M.entity(
      "Label", M.attribute("kept", "Transformable"), M.attribute("small", "Binary"),
      M.attribute("picture", "Binary", "allowsExternalBinaryDataStorage=\"YES\""))

  /// Two hundred boxes with two cups each, ten tags, a label on every tenth box.
  private func make(_ schema: StoreSchema, history: Bool = false) throws -> String {
    let path = samplePath("All.sqlite")
    let contents = NewStoreContents(
      uuid: "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11", keepsHistory: history,
      metadata: ["lastUser": .string("Ferdinand Porsche")])
    try StoreFixture.make(at: path, schema: schema, contents: contents) { fixture in
      let tags = try (0..<10).map { number in
        try fixture.add(
          "Tag",
          [
            "word": .string("keyword number \(number)"),
            "page": .uri("https://www.example.com/people/\(number)?name=Emma%20Bovary"),
            "key": .uuid(try #require(UUID(uuidString: Self.uuid(number)))),
          ])
      }
      for number in 0..<200 {
        let cups = try (0..<2).map { place in
          try fixture.add(
            "Cup",
            [
              "name": .string("Cup of Charles Bovary \(number % 7)"), "full": .boolean(place == 0),
              "price": .decimal("\(1000 + number).25"),
              "code": .integer(700_000_000 + Int64(number)),
              "made": .date(Double(number / 2) * 1000.5),
            ])
        }
        let labels = try number % 10 == 0 ? [fixture.add("Label", Self.label(number))] : []
        try fixture.add(
          "Box",
          ["name": .string("Box in Rouen \(number)"), "size": .real(12.75 + Double(number))],
          links: [
            "cups": cups.reversed(), "labels": labels,
            "tags": [tags[number % 10], tags[(number * 7 + 1) % 10]],
          ])
      }
    }
    return path
  }

  private static func uuid(_ number: Int) -> String {
    "5D1B0A36-6F0E-4C0B-8B51-6A1B4DF0F2A\(number)"
  }

  private static func label(_ number: Int) throws -> [String: AttributeValue] {
    let archive = try KeyedArchiveWriter.write(
      .dictionary(["NS.string": .string("secret words \(number)")]))
    return [
      "kept": .transformable(archive), "small": .binary(Array("a note to Emma \(number)".utf8)),
      "picture": .binary(
        Array("\u{1}picture".utf8) + [UInt8](repeating: UInt8(number), count: 150_000)),
    ]
  }

  @discardableResult
  private func sample(
    _ path: String, _ schema: StoreSchema, _ count: Int, keeping: Set<PropertyReference> = [],
    as name: String = "Few.sqlite"
  ) throws -> StoreFixture.Sampled {
    try StoreFixture.sample(
      Store(path), schema: schema, objects: count, keeping: keeping, at: samplePath(name))
  }

  private func few(_ sql: String, _ name: String = "Few.sqlite") throws -> [[Value]] {
    let connection = try Connection(path: samplePath(name), mode: .foreign)
    defer { try? connection.close() }
    return try connection.rows(sql)
  }

  /// What SQLite's check of the whole file finds.
  private func problems() throws -> [String] {
    let connection = try Connection(path: samplePath("Few.sqlite"), mode: .foreign)
    defer { try? connection.close() }
    return try connection.problems(.full)
  }

  private func bytes(_ name: String = "Few.sqlite") throws -> Data {
    try Data(contentsOf: URL(filePath: samplePath(name)))
  }

  @Test("each entity has objects, and what they lead to is there or empty") func connected() throws
  {
    let schema = try M.schema(Self.models)
    let sampled = try sample(try make(schema), schema, 40)
    #expect(sampled.count == 40)
    #expect(Set(sampled.objects.keys) == ["Box", "Cup", "Tag", "Label"])
    #expect(try problems().isEmpty)
    #expect(try Validation(store: samplePath("Few.sqlite"), schema: schema).run().failures == [])
    #expect(try few("SELECT count(*) FROM ZTHING WHERE ZBOX IS NOT NULL")[0][0].integer ?? 0 > 4)
    let label = try #require(schema.table(named: "ZLABEL"))
    let owner = try #require(
      label.columns.first { if case .owner = $0.role { true } else { false } })
    let owned = try few("SELECT count(*) FROM ZLABEL WHERE \(owner.name) IS NOT NULL")
    #expect(owned[0][0].integer ?? 0 > 0)
    let pairs = try few("SELECT count(*) FROM \(schema.joinTables[0].name)")
    #expect(pairs[0][0].integer ?? 0 > 8)
  }

  @Test("a predicate of the model is obeyed, and what it lists stays")
  func predicates() throws {
    var word = try #require(
      try ModelText.model(
        M.entity("Word", M.attribute("state"), M.attribute("size", "Integer 32"))
      ).entities.first)
    for place in word.attributes.indices {
      let isSize = word.attributes[place].name == "size"
      let states = ["open", "closed"].map { ModelExpression.constant(.string($0)) }
      let comparison =
        isSize
        ? ModelComparison(.itself, .greaterThan, .constant(.integer(5000)))
        : ModelComparison(.itself, .isIn, .aggregate(states))
      word.attributes[place].validation = [.predicate(.comparison(comparison))]
    }
    let schema = try StoreSchema(of: try Model(name: "App", entities: [word]))
    let path = samplePath("All.sqlite")
    let contents = NewStoreContents(uuid: Self.uuid(1))
    try StoreFixture.make(at: path, schema: schema, contents: contents) { fixture in
      for number in Int64(0)..<20 {
        let state = AttributeValue.string(number < 9 ? "open" : "closed")
        _ = try fixture.add("Word", ["state": state, "size": .integer(6000 + number)])
      }
    }
    #expect(try sample(path, schema, 100).broken == [])
    #expect(
      try few("SELECT count(*) FROM ZWORD WHERE ZSTATE = 'open'") == [[.integer(9)]])
    #expect(
      try few("SELECT count(*), min(ZSIZE) > 5000, max(ZSIZE) > 6100 FROM ZWORD")
        == [[.integer(20), .integer(1), .integer(1)]])
  }

  @Test("nothing of the store's data is in the new file or its large values")
  func scrubbed() throws {
    let schema = try M.schema(Self.models)
    let path = try make(schema, history: true)
    try StoreRows.change(
      """
      INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'com.example.Bovary');
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHOR) VALUES (1, 16002, 1, 'Flaubert')
      """, at: path)
    let sampled = try sample(path, schema, 1000)
    #expect(sampled.count == 630)
    #expect(sampled.files == 20)
    let folder = URL(filePath: try StoreFiles(samplePath("Few.sqlite")).externalDataFolder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.count == 20)
    let all = try [bytes()] + files.map { try Data(contentsOf: folder.appending(path: $0)) }
    let words = [
      "Bovary", "Rouen", "keyword", "example.com", "secret", "Emma", "picture", "Porsche",
      "Flaubert", "3E0B6C1A-5C0F", "5D1B0A36",
    ]
    for word in words {
      #expect(all.allSatisfy { $0.range(of: Data(word.utf8)) == nil }, "\(word)")
    }
    #expect(all.allSatisfy { $0.range(of: Data([0x5D, 0x1B, 0x0A, 0x36])) == nil })
    #expect(try few("SELECT count(*) FROM ATRANSACTION") == [[.integer(0)]])
    #expect(try few("SELECT count(*) FROM ZTHING WHERE ZCODE / 1000 = 700000") == [[.integer(0)]])
    let prices = "SELECT ZPRICE FROM ZTHING WHERE ZPRICE NOT NULL ORDER BY Z_PK"
    let old = try StoreRows.read(prices, at: path)
    let new = try StoreRows.read(prices, at: samplePath("Few.sqlite"))
    #expect(old.count == new.count && zip(old, new).allSatisfy { $0 != $1 })
  }

  @Test("equal values stay equal and different ones different, in their shape and order")
  func matching() throws {
    let schema = try M.schema(Self.models)
    let path = try make(schema)
    try sample(path, schema, 1000)
    let pairs = try few(
      "SELECT count(DISTINCT ZNAME), count(DISTINCT ZPRICE), count(DISTINCT ZCODE) FROM ZTHING")
    #expect(pairs == [[.integer(207), .integer(200), .integer(200)]])
    #expect(
      try few("SELECT count(DISTINCT ZWORD), count(DISTINCT ZKEY) FROM ZTAG").first
        == [10, 10].map(Value.integer))
    #expect(
      try few("SELECT min(length(ZWORD)), max(length(ZWORD)) FROM ZTAG").first
        == [16, 16].map(Value.integer))
    #expect(
      try few("SELECT count(*) FROM ZTAG WHERE ZPAGE LIKE 'https://%.invalid/%'")
        == [[.integer(10)]])
    // The dates of objects have the order of their keys, as before, and as many are equal.
    #expect(
      try few(
        """
        SELECT count(*) FROM ZTHING a JOIN ZTHING b ON b.Z_PK > a.Z_PK WHERE a.ZMADE > b.ZMADE
        """) == [[.integer(0)]])
    #expect(try few("SELECT count(DISTINCT ZMADE) FROM ZTHING") == [[.integer(100)]])
    #expect(try few("SELECT sum(ZFULL) FROM ZTHING") == [[.integer(200)]])
    #expect(
      try few("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 ORDER BY 1")
        == [
          [.text("Label"), .integer(20)], [.text("Tag"), .integer(10)],
          [.text("Thing"), .integer(600)],
        ])
  }

  @Test("the order of related objects is that of the store") func order() throws {
    let schema = try M.schema(Self.models)
    let path = try make(schema)
    try sample(path, schema, 1000)
    let sql = "SELECT Z_PK, ZBOX, Z_FOK_BOX FROM ZTHING WHERE ZBOX NOT NULL ORDER BY 2, 3"
    let store = try Connection(path: path, mode: .foreign)
    defer { try? store.close() }
    #expect(try few(sql) == store.rows(sql))
    #expect(try few(sql).count == 400)
  }

  @Test("the same store gives the same bytes, and is as it was") func same() throws {
    let schema = try M.schema(Self.models)
    let path = try make(schema)
    let before = try Data(contentsOf: URL(filePath: path))
    let one = try sample(path, schema, 50)
    let two = try sample(path, schema, 50, as: "Again.sqlite")
    #expect(one.uuid == two.uuid && one.uuid != "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11")
    #expect(try bytes() == bytes("Again.sqlite"))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("values of attributes that are named stay, files as well") func kept() throws {
    let schema = try M.schema(Self.models)
    let path = try make(schema)
    try sample(
      path, schema, 1000,
      keeping: [
        PropertyReference("Cup", "name"), PropertyReference("Cup", "made"),
        PropertyReference("Label", "picture"),
      ])
    #expect(
      try few("SELECT count(*) FROM ZTHING WHERE ZNAME LIKE 'Cup of Charles%'") == [[.integer(400)]]
    )
    #expect(
      try few("SELECT count(*) FROM ZTHING WHERE ZNAME LIKE 'Box in Rouen%'") == [[.integer(0)]])
    #expect(try few("SELECT max(ZMADE) FROM ZTHING") == [[.real(99049.5)]])
    let folder = URL(filePath: try StoreFiles(samplePath("Few.sqlite")).externalDataFolder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let sizes = try files.map { try Data(contentsOf: folder.appending(path: $0)).count }
    #expect(sizes == Array(repeating: 150_008, count: 20))
  }

  @Test("an archive can be read afterwards, with other words in it") func archives() throws {
    let schema = try M.schema(Self.models)
    try sample(try make(schema), schema, 1000)
    let rows = try few("SELECT ZKEPT, ZSMALL FROM ZLABEL ORDER BY Z_PK")
    for row in rows {
      let archive = try #require(row[0].blob)
      _ = try KeyedArchive(archive).root
      #expect(archive.count > 100 && Data(archive).range(of: Data("secret".utf8)) == nil)
      let text = try #require(row[1].blob.flatMap { String(validating: $0, as: UTF8.self) })
      #expect(text.wholeMatch(of: /[a-z] [a-z]{4} [a-z]{2} [A-Z][a-z]{3} \d+/) != nil, "\(text)")
    }
    #expect(rows.count == 20)
  }

  @Test(
    "of real stores the new one is sound, obeys its model, and has none of their texts",
    .enabled(if: OutsideMaterial.corpus.isThere, "\(CorpusModels.advice)"),
    // The model of that one is kept in a form that is not read.
    arguments: CorpusStores.all.filter { !$0.hasSuffix("/Recipes.sqlite") })
  func corpus(name: String) throws {
    let path = try CorpusStores.copy(name, as: "Real.sqlite")
    let (schema, sampled, rows, metadata, texts) = try take(path)
    #expect(Int64(sampled.count) >= min(60, rows))
    // Only what it names may be newly broken: a text that has to contain a word, for instance.
    let new = try failures(samplePath("Few.sqlite"), schema).subtracting(failures(path, schema))
    let named = sampled.broken.map { "\($0) " }
    #expect(new.allSatisfy { failure in named.contains { failure.hasPrefix($0) } }, "\(new)")
    #expect(try problems().isEmpty)
    let few = try Metadata(of: Connection(path: samplePath("Few.sqlite"), mode: .foreign))
    #expect(few.hashes == metadata.hashes && few.applicationKeys.isEmpty)
    #expect(few.uuid == sampled.uuid && few.uuid != metadata.uuid)
    try NewStore.make(
      at: samplePath("None.sqlite"), schema: schema, contents: NewStoreContents(keepsHistory: true))
    let (made, none) = (try bytes(), try bytes("None.sqlite"))
    for text in texts where none.range(of: text) == nil {
      #expect(made.range(of: text) == nil, "\(String(decoding: text, as: UTF8.self))")
    }
  }

  /// Takes some objects of a real store; gives back what is to be compared.
  private func take(
    _ path: String
  ) throws -> (StoreSchema, StoreFixture.Sampled, rows: Int64, Metadata, texts: [Data]) {
    let store = try Store(path)
    let model = try #require(try store.recognise().model ?? model(of: store))
    let schema = try store.expectedSchema(of: model)
    let sampled = try StoreFixture.sample(
      store, schema: schema, objects: 60, keeping: [], at: samplePath("Few.sqlite"))
    let rows = try schema.tables.reduce(0) { sum, table in
      sum + (try store.connection.integer("SELECT count(*) FROM \(table.name)") ?? 0)
    }
    return (schema, sampled, rows, store.metadata, try Self.texts(store))
  }

  /// The model of a store that does not keep it.
  private func model(of store: Store) throws -> Model? {
    let files = CorpusModels.paths(endingIn: ".xcdatamodeld").map(CorpusModels.file)
    return files.lazy.compactMap {
      try? ModelSource([$0]).model(matching: store.metadata.hashes)
    }.first
  }

  private func failures(_ path: String, _ schema: StoreSchema) throws -> Set<String> {
    let choices = Validation.Choices(limit: .max)
    return Set(
      try Validation(store: path, schema: schema, choices: choices).run().failures
        .map { "\($0.entity).\($0.property) \($0.rule)" })
  }

  /// All texts of a store that are too long to be met by chance, and the store's UUID.
  private static func texts(_ store: Store) throws -> [Data] {
    var texts = [Data(store.metadata.uuid.utf8)]
    for table in store.schema.objects(of: .table) where !table.name.hasPrefix("Z_M") {
      let columns = try store.columns(of: table.name).map { Identifier.quoted($0.name) }
      for column in columns {
        try store.connection.query(
          """
          SELECT \(column) FROM \(Identifier.quoted(table.name))
          WHERE typeof(\(column)) IN ('text', 'blob') AND length(\(column)) > 9
          """
        ) { row in
          let value = try row.value(0)
          if case .text(let text) = value { texts.append(Data(text.bytes)) }
          if let bytes = value.blob { texts.append(Data(bytes)) }
        }
      }
    }
    // A text may be the name of an entity, which every store of the model has.
    let names = try store.connection.rows("SELECT Z_NAME FROM Z_PRIMARYKEY")
      .compactMap { $0[0].string.map { Data($0.utf8) } }
    return texts.filter { !names.contains($0) }
  }
}
