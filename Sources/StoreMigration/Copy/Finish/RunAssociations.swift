package import CoreDataStore
internal import OperatingSystem
internal import SQLite
package import StoreReplacement

/// Which of a run's first objects each of its last ones came of, through all of its steps.
package struct RunAssociations {
  private let mappings: [Mapping]
  private let schemas: [StoreSchema]
  private let source: String
  private let connection: Connection

  private static let made = "main.\(BuilderTables.objects)"
  private static let step = "step.\(BuilderTables.objects)"
  private static let madeMerged = "main.\(BuilderTables.merged)"
  private static let stepMerged = "step.\(BuilderTables.merged)"

  /// Makes the file that says it, or finds it where there is one step.
  ///
  /// - Parameters:
  ///   - folder: The run's folder, with what was kept of each step.
  ///   - mappings: The mapping of each step.
  ///   - schemas: The schemas of the source and of the store of each step.
  /// - Returns: The file's path; nil when keys say it all.
  /// - Throws: ``Failure`` when a file cannot be read or made.
  package static func file(
    in folder: WorkFolder, _ mappings: [Mapping], _ schemas: [StoreSchema]
  ) throws -> String? {
    let files = try mappings.indices.map { step -> String? in
      let path = folder.associations(ofStep: step)
      return try replacing(what, path) { try FileEntry.at(path) == nil ? nil : path }
    }
    let isNoted = files.contains { $0 != nil }
    guard mappings.count > 1, isNoted else { return files.first ?? nil }
    let path = folder.associations
    try StagedFile.remove(path)
    try replacing(what, path) {
      var mode = OpenMode.own(create: true)
      mode.durability = .off
      let connection = try Connection(path: path, mode: mode)
      defer { try? connection.close() }
      let work = RunAssociations(
        mappings: mappings, schemas: schemas, source: folder.sourcePath, connection: connection)
      try work.compose(files)
    }
    return path
  }

  private static let what = "cannot find out which object came from which"

  private func compose(_ files: [String?]) throws {
    try connection.execute(KeptAssociations.tables(in: "main"))
    try connection.attach(source, as: "source", .readOnly)
    for (step, file) in files.enumerated() {
      if let file { try connection.attach(file, as: "step", .readOnly) }
      defer { if file != nil { try? connection.detach("step") } }
      try connection.transaction { try add(step, hasFile: file != nil) }
    }
    try connection.execute(KeptAssociations.indexes(in: "main"))
  }

  /// Replaces what is known of the steps before by what is known with this one.
  private func add(_ step: Int, hasFile: Bool) throws {
    try connection.execute(
      """
      CREATE TEMP TABLE before AS SELECT * FROM \(Self.made);
      CREATE INDEX temp.before_object ON before (entity, object);
      DELETE FROM \(Self.made);
      CREATE TEMP TABLE merged AS SELECT * FROM \(Self.madeMerged);
      DELETE FROM \(Self.madeMerged)
      """)
    let hasMerged = try hasFile && KeptAssociations.hasMerged(connection, in: "step")
    for entity in schemas[step].entities where !entity.isAbstract {
      let isNoted = try hasFile && has(entity.number, "source_entity", Self.step)
      try add(entity, step, isNoted: isNoted)
      try addMerged(entity, step, isNoted: isNoted, hasMerged: hasMerged)
    }
    try connection.execute("DROP TABLE temp.before; DROP TABLE temp.merged")
  }

  /// The objects of one entity between two steps.
  private func add(_ entity: EntityLayout, _ step: Int, isNoted: Bool) throws {
    let number = entity.number
    let next = mappings[step].objects(from: entity.name)
      .flatMap { schemas[step + 1].entity(named: $0.target)?.number }
    if isNoted {
      try connection.execute(
        """
        INSERT INTO \(Self.made) SELECT b.source_entity, b.source, s.entity, s.object, s.place
        FROM temp.before AS b JOIN \(Self.step) AS s
        ON s.source_entity = b.entity AND s.source = b.object WHERE b.entity = \(number)
        """)
    } else if let next {
      try connection.execute(
        """
        INSERT INTO \(Self.made) SELECT source_entity, source, \(next), object, place
        FROM temp.before WHERE entity = \(number)
        """)
    }
    guard isNoted else { return }
    // Objects that have had their keys until now, each with the entity that it began as.
    for origin in try origins(of: entity.name, step) {
      try connection.execute(
        """
        INSERT INTO \(Self.made) SELECT \(origin.number), s.source, s.entity, s.object, s.place
        FROM \(Self.step) AS s JOIN source.\(Identifier.quoted(origin.table)) AS o
        ON o.Z_PK = s.source AND o.Z_ENT = \(origin.number) WHERE s.source_entity = \(number)
        """)
    }
  }

  /// What took the place of the objects of one entity, before this step and in it; which of several
  /// it was does not matter here.
  private func addMerged(
    _ entity: EntityLayout, _ step: Int, isNoted: Bool, hasMerged: Bool
  ) throws {
    let number = entity.number
    let next = mappings[step].objects(from: entity.name)
      .flatMap { schemas[step + 1].entity(named: $0.target)?.number }
    func join(_ before: String, _ step: String) throws {
      try connection.execute(
        """
        INSERT INTO \(Self.madeMerged) SELECT b.source_entity, b.source, s.entity, s.object, 0
        FROM \(before) AS b JOIN \(step) AS s
        ON s.source_entity = b.entity AND s.source = b.object WHERE b.entity = \(number)
        """)
    }
    if isNoted {
      try join("temp.merged", Self.step)
    } else if let next {
      try connection.execute(
        """
        INSERT INTO \(Self.madeMerged) SELECT source_entity, source, \(next), object, 0
        FROM temp.merged WHERE entity = \(number)
        """)
    }
    guard hasMerged else { return }
    try join("temp.merged", Self.stepMerged)
    try join("temp.before", Self.stepMerged)
    for origin in try origins(of: entity.name, step) {
      try connection.execute(
        """
        INSERT INTO \(Self.madeMerged) SELECT \(origin.number), s.source, s.entity, s.object, 0
        FROM \(Self.stepMerged) AS s JOIN source.\(Identifier.quoted(origin.table)) AS o
        ON o.Z_PK = s.source AND o.Z_ENT = \(origin.number) WHERE s.source_entity = \(number)
        """)
    }
  }

  /// The entities of the source whose objects are of an entity by now, with the keys they had.
  private func origins(of name: String, _ step: Int) throws -> [EntityLayout] {
    try schemas[0].entities.filter { entity in
      guard !entity.isAbstract else { return false }
      var current: String? = entity.name
      for mapping in mappings[..<step] {
        current = current.flatMap { mapping.objects(from: $0) }
          .flatMap { $0.keys == .kept ? $0.target : nil }
      }
      return try current == name && !has(entity.number, "source_entity", "temp.before")
    }
  }

  private func has(_ number: Int, _ column: String, _ table: String) throws -> Bool {
    try connection.integer("SELECT 1 FROM \(table) WHERE \(column) = \(number) LIMIT 1") == 1
  }
}
