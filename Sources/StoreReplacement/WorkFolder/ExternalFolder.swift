internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// The folders of files that hold large values.
enum ExternalFolder {
  /// The names of the external files in a folder; none when there is no folder.
  ///
  /// What has another name or is no regular file is not Core Data's and is left alone.
  static func names(in folder: String) throws -> [String] {
    guard try FileEntry.at(folder) != nil else { return [] }
    var names: [String] = []
    try FileSystem.forEachName(in: folder) { name in
      guard ExternalReference(name) != nil, try FileEntry.at("\(folder)/\(name)")?.isRegular == true
      else { return }
      names.append(name)
    }
    return names.sorted()
  }

  /// The length of these files.
  static func bytes(in folder: String) throws -> Int64 {
    try names(in: folder).reduce(0) { sum, name in
      sum + (try FileEntry.at("\(folder)/\(name)")?.size ?? 0)
    }
  }

  /// The files that a store refers to.
  ///
  /// Every blob column of every table is looked through, whatever the model says of it: a file too
  /// many is kept, none too few.
  static func references(in connection: Connection) throws -> Set<String> {
    var names: Set<String> = []
    try forEachReference(in: connection) { _, _, name in names.insert(name) }
    return names
  }

  /// The values whose files are not in a folder.
  ///
  /// Only a model has the attributes' names; without one they are those of table and column.
  static func missing(
    from folder: String, in connection: Connection, _ schema: () -> StoreSchema? = { nil }
  ) throws -> [MissingExternals] {
    let there = Set(try names(in: folder))
    var found: [ExternalColumn: MissingExternals] = [:]
    var files: [ExternalColumn: Set<String>] = [:]
    try forEachReference(in: connection) { table, column, name in
      guard !there.contains(name) else { return }
      let place = ExternalColumn(table: table, column: column)
      found[place, default: MissingExternals("\(table).\(column)")].count += 1
      files[place, default: []].insert(name)
    }
    let schema = found.isEmpty ? nil : schema()
    return found.map { place, missing in
      var missing = missing
      let known = schema?.table(named: place.table)?.column(named: place.column)?.property
      if let known { missing.attribute = "\(known)" }
      missing.files = files[place, default: []].sorted()
      return missing
    }.sorted { $0.attribute < $1.attribute }
  }

  private static func forEachReference(
    in connection: Connection, _ body: (_ table: String, _ column: String, _ name: String) -> Void
  ) throws {
    let schema = try Schema(of: connection)
    for table in schema.objects(of: .table) {
      let columns = try connection.columns(of: table, in: schema).filter {
        $0.kind == .normal && SchemaColumn.type($0.type, contains: "BLOB")
      }
      for column in columns {
        let name = Identifier.quoted(column.name)
        try connection.query(
          """
          SELECT \(name) FROM main.\(Identifier.quoted(table.name))
          WHERE typeof(\(name)) = 'blob' AND length(\(name)) = \(ExternalReference.length)
          """
        ) { row in
          if let bytes = try row.blob(0), let reference = ExternalReference(stored: bytes) {
            body(table.name, column.name, reference.name)
          }
        }
      }
    }
  }
}
