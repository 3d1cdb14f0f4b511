import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Links to objects that are left out or have new keys", .temporaryFolder)
struct LinkLossTests {
  private static func toOne(
    _ name: String, _ destination: String, _ inverse: String? = nil, isOptional: Bool = true
  ) -> String {
    let back = inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    return "<relationship name=\"\(name)\" \(isOptional ? "optional=\"YES\"" : "") maxCount=\"1\" "
      + "destinationEntity=\"\(destination)\" \(back)/>"
  }

  private static func toMany(_ name: String, _ destination: String, _ inverse: String) -> String {
    "<relationship name=\"\(name)\" optional=\"YES\" destinationEntity=\"\(destination)\" "
      + "inverseName=\"\(inverse)\" inverseEntity=\"\(destination)\"/>"
  }

  private static func entity(_ name: String, _ more: String, parent: String? = nil) -> String {
    "<entity name=\"\(name)\" \(parent.map { "parentEntity=\"\($0)\"" } ?? "")>\(more)</entity>"
  }

  private static let text = MappingModels.attribute("name", "String", "optional=\"YES\"")

  @Test("one to an object left out ends, one that led nowhere stays")
  func leftOut() throws {
    let xml = Self.entity("A", Self.toOne("r", "B")) + Self.entity("B", Self.text)
    let sample = try LinkSample(xml, xml) {
      $0.filters = [ObjectFilter(entity: "B", condition: "name != nil")]
    } fill: { store, schema in
      try LinkSample.insert(store, schema, "B", 11, ["ZNAME": .text("b")])
      try LinkSample.insert(store, schema, "B", 12)
      for (key, link) in [(1, 11), (2, 12), (3, 99)] as [(Int64, Int64)] {
        try LinkSample.insert(store, schema, "A", key, ["ZR": .integer(link)])
      }
    }
    let builder = try sample.copied()
    let counts = try LinkCopy(builder).run()
    #expect(counts == [LinkCount(relationship: PropertyReference("A", "r"), dangling: 1, kept: 2)])
    let links = try builder.connection.rows("SELECT ZR FROM ZA ORDER BY Z_PK")
    #expect(links == [[.integer(11)], [.null], [.integer(99)]])
    try builder.close()
  }

  @Test("a mandatory one to an object left out is an error that names both, and the reason")
  func mandatory() throws {
    let xml =
      Self.entity("A", Self.toOne("r", "B", isOptional: false)) + Self.entity("B", Self.text)
    let sample = try LinkSample(xml, xml) {
      $0.filters = [ObjectFilter(entity: "B", condition: "name != nil")]
    } fill: { store, schema in
      try LinkSample.insert(store, schema, "B", 12)
      try LinkSample.insert(store, schema, "A", 2, ["ZR": .integer(12)])
      try LinkSample.insert(store, schema, "A", 3, ["ZR": .integer(12)])
    }
    let builder = try sample.copied()
    let error = #expect(throws: Failure.self) { try LinkCopy(builder).run() }
    #expect(error?.subject == "A.r of A, Z_PK 2")
    #expect(error?.why.contains("B, Z_PK 12, is not in the result. So it is with 1 more") == true)
    #expect(error?.kind == .unusable)
    let failed = { (entity: String, key: Int64) in
      entity == "B" && key == 12 ? "b.lua:3: no name" : nil
    }
    let second = #expect(throws: Failure.self) {
      try LinkCopy(builder, failure: failed).run()
    }
    #expect(second?.why.contains("because a script failed on it: b.lua:3: no name.") == true)
    #expect(second?.kind == .no)
    let counts = try LinkCopy(builder, endsAtFailures: false, failure: failed).run()
    #expect(counts.map(\.dangling) == [2])
    try builder.close()
  }

  @Test("pairs with an object left out go, and the others stay")
  func join() throws {
    let xml =
      Self.entity("A", Self.toMany("r", "B", "s"))
      + Self.entity("B", Self.text + Self.toMany("s", "A", "r"))
    let sample = try LinkSample(xml, xml) {
      $0.filters = [ObjectFilter(entity: "B", condition: "name != nil")]
    } fill: { store, schema in
      try LinkSample.insert(store, schema, "A", 1)
      try LinkSample.insert(store, schema, "B", 11, ["ZNAME": .text("b")])
      try LinkSample.insert(store, schema, "B", 12)
      try SampleLinks(connection: store, schema: schema)
        .write([SampleLink(a: 1, b: 11), SampleLink(a: 1, b: 12), SampleLink(a: 1, b: 99)])
    }
    let builder = try sample.copied()
    let counts = try LinkCopy(builder).run()
    #expect(counts == [LinkCount(relationship: PropertyReference("A", "r"), dangling: 1, kept: 2)])
    let links = SampleLinks(connection: builder.connection, schema: sample.target)
    #expect(try links.read() == [[SampleLink(a: 1, b: 11), SampleLink(a: 1, b: 99)]])
    try builder.close()
  }

  @Test("links follow objects into a common table, with their entities")
  func renumbered() throws {
    let before =
      Self.entity("Cat", "") + Self.entity("Dog", Self.toOne("friend", "Cat"))
      + Self.entity("Visit", Self.toOne("dog", "Dog"))
    let after =
      Self.entity("Animal", "") + Self.entity("Cat", "", parent: "Animal")
      + Self.entity("Dog", Self.toOne("friend", "Animal"), parent: "Animal")
      + Self.entity("Visit", Self.toOne("dog", "Dog"))
    let sample = try LinkSample(before, after) {
      $0.maps = [EntityMap(entity: "Cat", from: "Cat"), EntityMap(entity: "Dog", from: "Dog")]
    } fill: { store, schema in
      for key in Int64(1)...2 { try LinkSample.insert(store, schema, "Cat", key) }
      try LinkSample.insert(store, schema, "Dog", 1, ["ZFRIEND": .integer(2)])
      try LinkSample.insert(store, schema, "Dog", 2, ["ZFRIEND": .integer(1)])
      try LinkSample.insert(store, schema, "Visit", 7, ["ZDOG": .integer(1)])
    }
    #expect(Set(sample.mapping.objects.map(\.keys)).count == 2)
    let builder = try sample.copied()
    _ = try LinkCopy(builder).run()
    let store = builder.connection
    // Which of the two got new keys does not matter: the objects are distinguished by their links.
    let friends = try store.rows(
      """
      SELECT d.Z_ENT, c.Z_ENT, d.Z1_FRIEND FROM ZANIMAL AS d JOIN ZANIMAL AS c ON c.Z_PK = d.ZFRIEND
      """)
    #expect(friends == Array(repeating: [.integer(3), .integer(2), .integer(2)], count: 2))
    let visited = try store.rows(
      "SELECT d.Z_ENT, d.ZFRIEND FROM ZVISIT AS v JOIN ZANIMAL AS d ON d.Z_PK = v.ZDOG")
    #expect(visited.count == 1 && visited.first?[0] == .integer(3))
    let cats = try store.rows("SELECT Z_PK FROM ZANIMAL WHERE Z_ENT = 2 ORDER BY Z_PK")
    #expect(visited.first?[1] == cats.last?[0])
    try builder.close()
  }

  @Test("a pass that was done is not done again")
  func resumed() throws {
    let xml = LinkKind.manyToMany.xml(isOrdered: false)
    let sample = try LinkSample(xml, xml) { store, schema in
      try SampleLinks(connection: store, schema: schema)
        .write(LinkKind.manyToMany.links(isOrdered: false))
    }
    let builder = try sample.copied()
    let first = try LinkCopy(builder).run()
    #expect(first.map(\.kept) == [5])
    try builder.connection.execute("DELETE FROM \(sample.target.joinTables[0].name)")
    #expect(try LinkCopy(builder).run() == first)
    let links = SampleLinks(connection: builder.connection, schema: sample.target)
    #expect(try links.read() == [[]])
    try builder.close()
  }
}
