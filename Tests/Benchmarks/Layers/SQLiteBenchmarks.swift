import Foundation
import SQLite

extension Benchmark {
  private static let rows = 100_000

  /// What the SQLite layer costs, on files in a folder.
  static func sqlite(in folder: URL) throws -> [Benchmark] {
    let opened = folder.appending(path: "opened.sqlite").path(percentEncoded: false)
    try Connection(path: opened, mode: .own(create: true)).close()
    let filled = folder.appending(path: "filled.sqlite").path(percentEncoded: false)
    let connection = try Connection(path: filled, mode: .own(create: true))
    for table in ["a", "b"] {
      try connection.execute("CREATE TABLE \(table) (id INTEGER PRIMARY KEY, number REAL, text)")
    }
    return [
      Benchmark(name: "sqlite.open", unit: "file", count: 200) {
        for _ in 0..<200 { try Connection(path: opened, mode: .foreign).close() }
      },
      Benchmark(name: "sqlite.insert", unit: "row", count: rows) { try insert(into: connection) },
      Benchmark(name: "sqlite.read", unit: "row", count: rows) { try read(from: connection) },
      Benchmark(name: "sqlite.copy", unit: "row", count: rows) {
        try connection.execute("DELETE FROM b; INSERT INTO b SELECT * FROM a")
      },
    ]
  }

  private static func insert(into connection: Connection) throws {
    try connection.transaction {
      try connection.execute("DELETE FROM a")
      let statement = try connection.prepare("INSERT INTO a VALUES (?1, ?2, ?3)")
      for row in 0..<rows {
        try statement.bind(Int64(row), at: 1)
        try statement.bind(Double(row) / 3, at: 2)
        try statement.bind("the text of row \(row)", at: 3)
        try statement.run()
      }
    }
  }

  private static func read(from connection: Connection) throws {
    var sum = 0.0
    try connection.query("SELECT id, number, text FROM a") { row in
      sum += (row.real(1) ?? 0) + Double(try row.string(2)?.utf8.count ?? 0)
    }
    guard sum > 0 else { throw Nothing(wasRead: "a") }
  }

  /// A measurement that measured nothing.
  private struct Nothing: Error {
    var wasRead: String
  }
}
