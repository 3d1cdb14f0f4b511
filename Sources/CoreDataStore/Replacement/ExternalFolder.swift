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

  /// The files that a store refers to.
  ///
  /// Every blob column of every table is looked through, whatever the model says of it: a file too
  /// many is kept, none too few.
  static func references(in connection: Connection) throws -> Set<String> {
    var names: Set<String> = []
    for table in try Schema(of: connection).objects(of: .table) {
      let columns = try connection.columns(of: table.name).filter {
        $0.kind == .normal && $0.type.uppercased().contains("BLOB")
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
            names.insert(reference.name)
          }
        }
      }
    }
    return names
  }
}
