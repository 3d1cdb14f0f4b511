internal import OperatingSystem
internal import SQLite

/// The large values that a store keeps as files next to it.
package struct ExternalFiles: Sendable, Hashable {
  /// Files that the store refers to and that are there.
  package var present = 0
  /// What those take in bytes.
  package var bytes: Int64 = 0
  /// Files that the store refers to and that are not there, or are no regular files.
  package var missing = 0
  /// Things in the folder that nothing refers to.
  package var orphaned = 0
  /// Values that begin as a reference and are none.
  package var malformed = 0
  /// The values without a file, an entry for each attribute that has any.
  package var missingValues: [MissingExternals] = []
  /// The names of some missing files.
  package var missingNames: [String] = []
  /// The names of some orphaned files.
  package var orphanedNames: [String] = []
  /// Why the folder could not be read, when it could not.
  package var folderProblem: String?

  /// How many names are given.
  static let mostNames = 20

  /// No files at all.
  package init() {}
}

/// A column whose values may live in files.
package struct ExternalColumn: Hashable {
  package let table: String
  package let column: String
  /// The attribute, as in "Note.photo".
  let attribute: String

  package init(table: String, column: String, attribute: String = "") {
    self.table = table
    self.column = column
    self.attribute = attribute
  }
}

extension Store {
  /// Compares what the columns refer to with what is in the folder.
  ///
  /// The names are kept in a temporary table, on disk when there are many: memory stays as it is.
  func externalFiles(_ columns: [ExternalColumn]) throws -> ExternalFiles {
    try reading("cannot compare the external files", limit: .seconds(86_400)) {
      var survey = try ExternalSurvey(connection: connection, folder: files.externalDataFolder)
      if columns.isEmpty && !survey.hasFolder { return survey.found }
      defer { survey.forgetNames() }
      return try connection.transaction(.deferred) {
        for column in columns { try survey.follow(column) }
        try survey.findOrphans()
        return survey.found
      }
    }
  }
}

/// One comparison of references and files.
private struct ExternalSurvey {
  let connection: Connection
  let path: String
  var found = ExternalFiles()
  private let folder: OpenExternalFolder?
  /// Whether the table of names is there: most stores refer to no file.
  private var hasNames = false
  /// Whether there is a folder to be looked at.
  var hasFolder: Bool { folder != nil }

  init(connection: Connection, folder path: String) throws {
    self.connection = connection
    self.path = path
    do {
      folder = try OpenExternalFolder(path)
    } catch {
      guard error.isNoFile else { throw Failure(error, what: Self.what, subject: path) }
      folder = nil
      let isThere = (try? FileEntry.at(path)) != nil
      if isThere { found.folderProblem = error.message }
    }
  }

  private static let what = "cannot look at the files of large values"

  private mutating func makeNames() throws(SQLiteError) {
    guard !hasNames else { return }
    try connection.execute(
      """
      CREATE TEMP TABLE external_names (name TEXT PRIMARY KEY, isMissing INTEGER) WITHOUT ROWID
      """)
    hasNames = true
  }

  mutating func forgetNames() {
    guard hasNames else { return }
    try? connection.execute("DROP TABLE temp.external_names")
    hasNames = false
  }

  /// Follows every reference in a column.
  ///
  /// Type and length come without the value, so that large inline values are not read; a longer
  /// value than this that is marked as a reference is not noticed.
  mutating func follow(_ external: ExternalColumn) throws {
    let column = Identifier.quoted(external.column)
    var missing = MissingExternals(external.attribute)
    let statement = try connection.prepare(
      """
      SELECT \(column) FROM main.\(Identifier.quoted(external.table))
      WHERE typeof(\(column)) = 'blob' AND length(\(column)) BETWEEN 1 AND 1024
      AND substr(\(column), 1, 1) = x'02'
      """)
    while try statement.step() {
      guard let bytes = try statement.row.blob(0),
        let reference = ExternalReference(stored: bytes)
      else {
        found.malformed += 1
        continue
      }
      if try isMissing(reference.name) { missing.count += 1 }
    }
    if missing.count > 0 { found.missingValues.append(missing) }
  }

  /// Whether a file is missing; each is looked at once.
  private mutating func isMissing(_ name: String) throws -> Bool {
    try makeNames()
    let known = try connection.integer(
      "SELECT isMissing FROM temp.external_names WHERE name = ?1", [.text(name)])
    if let known { return known == 1 }
    let size = try size(of: name)
    try connection.run(
      "INSERT INTO temp.external_names VALUES (?1, ?2)",
      [.text(name), .integer(size == nil ? 1 : 0)])
    if let size {
      found.present += 1
      found.bytes += size
      return false
    }
    found.missing += 1
    if found.missingNames.count < ExternalFiles.mostNames { found.missingNames.append(name) }
    return true
  }

  private func size(of name: String) throws -> Int64? {
    do {
      return try folder?.size(of: name)
    } catch {
      throw Failure(error, what: Self.what, subject: "\(path)/\(name)")
    }
  }

  /// Looks for files that nothing refers to.
  mutating func findOrphans() throws {
    guard folder != nil else { return }
    try makeNames()
    let known = try connection.prepare("SELECT 1 FROM temp.external_names WHERE name = ?1")
    do {
      try FileSystem.forEachName(in: path) { name in
        try known.bind([.text(name)])
        defer { known.reset() }
        guard try !known.step() else { return }
        found.orphaned += 1
        if found.orphanedNames.count < ExternalFiles.mostNames { found.orphanedNames.append(name) }
      }
    } catch let error as SystemError {
      found.folderProblem = error.message
    }
  }
}

/// The folder of external files, held open so that no other process can replace it meanwhile.
private final class OpenExternalFolder {
  private let descriptor: OpenDescriptor

  init(_ path: String) throws(SystemError) { descriptor = try OpenDescriptor(folder: path) }

  /// The size of a regular file in the folder; nil when there is none.
  func size(of name: String) throws(SystemError) -> Int64? {
    do {
      let entry = try FileEntry.of(OpenDescriptor(reading: name, in: descriptor))
      return entry.isRegular ? entry.size : nil
    } catch  where error.isNoFile {
      return nil
    }
  }
}
