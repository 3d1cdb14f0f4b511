import CoreDataStore
import Foundation
import SQLite

/// The tables and indexes that a store of a later version has, for those who migrate by SQL alone.
struct NextSchema {
  private let model: Model

  /// The schema of a version of the model.
  init(of model: Model) { self.model = model }

  /// Writes `NAME.tables.sql` and `NAME.indexes.sql`.
  func write(as name: String, into folder: URL) throws {
    let path = folder.appending(path: "\(name).empty").path
    try NewStore.make(at: path, schema: try StoreSchema(of: model))
    let empty = try Connection(path: path, mode: .foreign)
    for kind in ["table", "index"] {
      let statements = try empty.rows(
        "SELECT sql || ';' FROM sqlite_master WHERE type = ?1 AND sql IS NOT NULL", [.text(kind)])
      let text = statements.compactMap(\.first?.string).joined(separator: "\n") + "\n"
      let file = "\(name).\(kind == "table" ? "tables" : "indexes").sql"
      try Data(text.utf8).write(to: folder.appending(path: file))
    }
    try empty.close()
    try FileManager.default.removeItem(atPath: path)
  }
}
