import CoreDataStore
import Formats
import Foundation
import SQLite

/// What an application that opens the store finds: tables, metadata and large values.
struct Content: Equatable, Sendable {
  /// The statements of tables, indexes and triggers.
  let schema: [String]
  /// The rows by table; a reference to a file stands as the digest of what is in it.
  let tables: [String: [String]]
  /// The metadata but for the record of runs.
  let metadata: [String: PropertyList]
  /// How many runs have left a record.
  let runs: Int
  /// Files next to the store that nothing refers to, and references to no file.
  let strays: [String]
  let missing: [String]
  /// All of its pages.
  let image: PageImage

  /// Opens a copy as an application does: for writing, with whatever journal there is.
  static func read(_ store: URL, in scratch: URL) throws -> Content {
    let path = try copy(store, to: scratch.appending(path: "look")).path
    var mode = OpenMode.own(create: false)
    mode.durability = .off
    let connection = try Connection(path: path, mode: mode)
    defer { try? connection.close() }
    let files = try StoreFiles(store.path).externalDataFolder
    var reader = ContentReader(connection: connection, files: URL(filePath: files))
    return try reader.read()
  }

  /// Copies a store with whatever journal there is to a folder that is made for it.
  static func copy(_ store: URL, to folder: URL) throws -> URL {
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder)
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appending(path: store.lastPathComponent)
    for suffix in ["", "-wal", "-journal"]
    where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }

  /// The first difference to another content, in a few words; nil when there is none that counts.
  func difference(to other: Content) -> String? {
    if !missing.isEmpty { return "missing files: \(missing.joined(separator: ", "))" }
    if schema != other.schema { return "another schema" }
    if let table = tables.keys.first(where: { tables[$0] != other.tables[$0] }) {
      return "table \(table) differs"
    }
    if tables.count != other.tables.count { return "other tables" }
    if metadata != other.metadata { return "other metadata" }
    return runs == other.runs ? nil : "\(runs) records of runs"
  }
}

/// One reading of a content.
private struct ContentReader {
  let connection: Connection
  let files: URL
  private var referred: Set<String> = []
  private var missing: [String] = []

  init(connection: Connection, files: URL) {
    self.connection = connection
    self.files = files
  }

  mutating func read() throws -> Content {
    let problems = try connection.problems(.full)
    guard problems.isEmpty else { throw TortureError("damaged: \(problems[0])") }
    let schema = try texts("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql")
    let names = try texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    var tables: [String: [String]] = [:]
    for name in names where name != "Z_METADATA" { tables[name] = try rows(of: name) }
    let (metadata, runs) = try self.metadata()
    let there = (try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? []
    return Content(
      schema: schema, tables: tables, metadata: metadata, runs: runs,
      strays: there.filter { !referred.contains($0) }.sorted(), missing: missing,
      image: try connection.pageImage())
  }

  private func texts(_ sql: String) throws -> [String] {
    try connection.rows(sql).compactMap { $0[0].string }
  }

  private mutating func rows(of table: String) throws -> [String] {
    let rows = try connection.rows("SELECT * FROM \(Identifier.quoted(table))")
    return try rows.map { row in
      try row.map { try text($0) }.joined(separator: "|")
    }.sorted()
  }

  // Not "\(value)": that finds each byte of a text by reflection, which takes longer than all else
  // that is done at a point.
  private mutating func text(_ value: Value) throws -> String {
    switch value {
    case .null: return "null"
    case .integer(let number): return "integer \(number)"
    case .real(let number): return "real \(number)"
    case .text(let text): return "text \(Hex.encode(text.bytes))"
    case .blob(let bytes): return try blob(bytes)
    }
  }

  private mutating func blob(_ bytes: [UInt8]) throws -> String {
    guard let reference = ExternalReference(stored: bytes) else {
      return "blob \(Hex.encode(bytes))"
    }
    referred.insert(reference.name)
    guard let content = try? Data(contentsOf: files.appending(path: reference.name)) else {
      missing.append(reference.name)
      return "missing"
    }
    return "file of \(Hex.encode(Digest.sha256(Array(content))))"
  }

  private func metadata() throws -> ([String: PropertyList], runs: Int) {
    let rows = try connection.rows("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA")
    guard rows.count == 1, case .blob(let bytes) = rows[0][2],
      case .dictionary(var entries) = try PropertyList(reading: bytes)
    else { throw TortureError("no metadata") }
    var runs = 0
    if case .array(let records) = entries.removeValue(forKey: "PipelineLog") {
      runs = records.count
    }
    entries["Z_VERSION Z_UUID"] = .string("\(rows[0][0]) \(rows[0][1])")
    return (entries, runs)
  }
}
