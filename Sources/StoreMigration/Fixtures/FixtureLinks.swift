internal import CoreDataStore
internal import SQLite

/// The links of a new store's objects, which may lead to objects that are not there yet.
///
/// What can only be written when all objects are there waits in a temporary table, on disk when
/// there is much of it.
struct FixtureLinks {
  private let connection: Connection
  private let schema: StoreSchema

  init(_ connection: Connection, _ schema: StoreSchema) {
    (self.connection, self.schema) = (connection, schema)
  }

  /// Makes the table of what waits.
  func begin() throws {
    try connection.execute(
      """
      CREATE TEMP TABLE waiting (relationship TEXT, owner INTEGER, other INTEGER, place INTEGER,
      PRIMARY KEY (relationship, other)) WITHOUT ROWID
      """)
  }

  /// Notes where a relationship of an object leads; gives back what the object's own row holds.
  func add(
    _ object: ObjectID, _ name: String, _ others: [ObjectID]
  ) throws -> (column: String, value: Value)? {
    let link = try ObjectLink(schema, object, name)
    for other in others { try link.check(other) }
    switch link.storage {
    case .toOne(let storage):
      guard others.count <= 1 else { throw link.tooMany() }
      return (storage.key.name, others.first.map { .integer($0.key) } ?? .null)
    case .toMany: try wait(link, object, others)
    case .manyToMany(let storage): try pair(link, storage, object, others)
    case .attribute, .notStored: throw link.unknown()
    }
    return nil
  }

  private func wait(_ link: ObjectLink, _ object: ObjectID, _ others: [ObjectID]) throws {
    let statement = try connection.prepare(
      "INSERT OR IGNORE INTO temp.waiting VALUES (?1, ?2, ?3, ?4)", cached: true)
    let name = Value.text("\(link.reference)")
    for (place, other) in others.enumerated() {
      try statement.bind([
        name, .integer(object.key), .integer(other.key), .integer(Int64(place)),
      ])
      guard try statement.run() == 1 else { throw lost(link.reference, other.key) }
    }
  }

  private func pair(
    _ link: ObjectLink, _ storage: JoinStorage, _ object: ObjectID, _ others: [ObjectID]
  ) throws {
    for (place, other) in others.enumerated() {
      try add(storage, object, other, at: place)
      // A relationship that is its own inverse leads back by a row of its own.
      if link.isReflexive { try add(storage, other, object, at: nil) }
    }
  }

  private func add(
    _ storage: JoinStorage, _ object: ObjectID, _ other: ObjectID, at place: Int?
  ) throws {
    let ends = [storage.source, storage.destination].map { Identifier.quoted($0) }
    let table = Identifier.quoted(storage.table)
    let keys = [Value.integer(object.key), .integer(other.key)]
    guard let position = storage.position.map({ Identifier.quoted($0) }), let place else {
      try connection.run(
        "INSERT OR IGNORE INTO \(table) (\(ends[0]), \(ends[1])) VALUES (?1, ?2)", keys)
      return
    }
    try connection.run(
      """
      INSERT INTO \(table) (\(ends[0]), \(ends[1]), \(position)) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET \(position) = excluded.\(position)
      """, keys + [.integer(Int64(place))])
  }
}

// When all objects are there.
extension FixtureLinks {
  /// One relationship, as the entity that declares it has it.
  private struct Declared {
    let reference: PropertyReference
    let storage: PropertyStorage
    let owner: EntityLayout
    let destination: EntityLayout
    let inverse: PropertyStorage?
  }

  /// Writes what waited, completes inverses and orders, and refuses links that lead nowhere.
  func finish() throws {
    let all = try declared()
    for link in all {
      guard case .toMany(let storage) = link.storage else { continue }
      try claim(storage, link)
    }
    for link in all { try mirror(link) }
    for link in all {
      switch link.storage {
      case .toOne(let storage): try complete(storage, link)
      case .manyToMany(let storage): try complete(storage, link)
      case .toMany, .attribute, .notStored: continue
      }
    }
  }

  private func declared() throws -> [Declared] {
    try schema.model.entities.flatMap { entity in
      try entity.relationships.compactMap { relationship in
        let owner = try schema.layout(of: entity.name)
        guard let storage = owner[relationship.name] else { return nil }
        return Declared(
          reference: PropertyReference(entity.name, relationship.name), storage: storage,
          owner: owner, destination: try schema.layout(of: relationship.destination),
          inverse: schema.model.inverse(of: relationship).flatMap {
            schema.entity(named: $0.declaredBy.name)?[$0.relationship.name]
          })
      }
    }
  }

  /// Lets the objects of a to-many name the one that they belong to.
  private func claim(_ storage: ToManyStorage, _ link: Declared) throws {
    let (table, key) = (Identifier.quoted(storage.table), Identifier.quoted(storage.key.name))
    let place = storage.position.map { ", \(Identifier.quoted($0.name)) = w.place" } ?? ""
    let name = Value.text("\(link.reference)")
    try connection.run(
      """
      UPDATE main.\(table) AS t SET \(key) = w.owner\(place) FROM temp.waiting AS w
      WHERE w.relationship = ?1 AND t.Z_PK = w.other AND ifnull(t.\(key), w.owner) = w.owner
      """, [name])
    try refuse(
      """
      SELECT w.other FROM temp.waiting AS w LEFT JOIN main.\(table) AS t ON t.Z_PK = w.other
      WHERE w.relationship = ?1
      AND (t.\(key) IS NOT w.owner OR NOT \(family(link.destination, "t")))
      """, [name], link)
  }

  /// Lets the partner of a to-one whose inverse is one, too, lead back.
  private func mirror(_ link: Declared) throws {
    guard case .toOne(let storage) = link.storage, case .toOne(let back)? = link.inverse else {
      return
    }
    let (near, far) = (
      Identifier.quoted(link.owner.table), Identifier.quoted(link.destination.table)
    )
    let (key, inverse) = (Identifier.quoted(storage.key.name), Identifier.quoted(back.key.name))
    try connection.run(
      """
      UPDATE main.\(far) AS d SET \(inverse) = o.Z_PK FROM main.\(near) AS o
      WHERE o.\(key) = d.Z_PK AND d.\(inverse) IS NULL
      """, [])
    try refuse(
      """
      SELECT o.\(key) FROM main.\(near) AS o JOIN main.\(far) AS d ON d.Z_PK = o.\(key)
      WHERE d.\(inverse) IS NOT o.Z_PK
      """, [], link)
  }

  private func complete(_ storage: ToOneStorage, _ link: Declared) throws {
    let (near, far) = (
      Identifier.quoted(link.owner.table), Identifier.quoted(link.destination.table)
    )
    let key = Identifier.quoted(storage.key.name)
    try refuse(
      """
      SELECT o.\(key) FROM main.\(near) AS o LEFT JOIN main.\(far) AS d ON d.Z_PK = o.\(key)
      WHERE o.\(key) IS NOT NULL AND (d.Z_PK IS NULL OR NOT \(family(link.destination, "d")))
      """, [], link)
    if let entity = storage.entity.map({ Identifier.quoted($0.name) }) {
      try connection.run(
        """
        UPDATE main.\(near) AS o SET \(entity) = d.Z_ENT FROM main.\(far) AS d
        WHERE d.Z_PK = o.\(key)
        """, [])
    }
    try order(link.owner.table, "Z_PK", by: storage.key.name, storage.position?.name)
  }

  private func complete(_ storage: JoinStorage, _ link: Declared) throws {
    let table = Identifier.quoted(storage.table)
    let other = Identifier.quoted(storage.destination)
    let far = Identifier.quoted(link.destination.table)
    try refuse(
      """
      SELECT j.\(other) FROM main.\(table) AS j LEFT JOIN main.\(far) AS d ON d.Z_PK = j.\(other)
      WHERE d.Z_PK IS NULL OR NOT \(family(link.destination, "d"))
      """, [], link)
    try order(storage.table, storage.destination, by: storage.source, storage.position)
  }

  /// Numbers the objects of each owner as Core Data does, 2048, 3072, 4096 and so on; those without
  /// a given place come last, by their keys.
  private func order(
    _ table: String, _ key: String, by owner: String, _ position: String?
  ) throws {
    guard let position = position.map({ Identifier.quoted($0) }) else { return }
    let (table, key) = (Identifier.quoted(table), Identifier.quoted(key))
    let owner = Identifier.quoted(owner)
    try connection.run(
      """
      UPDATE main.\(table) AS t SET \(position) = p.place FROM (
        SELECT \(owner) AS owner, \(key) AS other, 1024 + 1024 * row_number() OVER (
          PARTITION BY \(owner) ORDER BY \(position) IS NULL, \(position), \(key)) AS place
        FROM main.\(table) WHERE \(owner) IS NOT NULL) AS p
      WHERE t.\(owner) = p.owner AND t.\(key) = p.other
      """, [])
  }

  private func family(_ layout: EntityLayout, _ alias: String) -> String {
    "(\(alias).Z_ENT BETWEEN \(layout.family.lowerBound) AND \(layout.family.upperBound))"
  }

  private func refuse(_ sql: String, _ values: [Value], _ link: Declared) throws {
    guard let row = try connection.rows("\(sql) LIMIT 1", values).first else { return }
    throw lost(link.reference, row[0].integer ?? 0)
  }

  private func lost(_ reference: PropertyReference, _ key: Int64) -> Failure {
    Failure(
      .unusable, what: "cannot link objects", subject: "relationship \(reference), Z_PK \(key)",
      why: "The object that it leads to is not there, or another one has it already.",
      remedy: "Lead it to an object that is there and free.")
  }
}
