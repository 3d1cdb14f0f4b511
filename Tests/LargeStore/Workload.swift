import CoreDataStore
import Foundation
import SQLite

/// A store to be measured with: its models, its rows, and what migrates it.
struct Workload: Sendable {
  /// The word for it on the command line.
  var name: String
  /// The name of its models and of its store.
  var title: String
  /// The insides of the versions of its model, the first being the store's.
  var versions: [String]
  /// What takes it to the later versions.
  var migrations: [Migration]
  /// Puts rows into the tables of the first version; `count` is that of the command line.
  var fill: @Sendable (_ store: Connection, _ count: Int) throws -> Void

  /// Those of which rows are counted.
  static let all = [things, pictures, wide, keys]

  /// Those whose models grow, by their names: the count is that of entities or properties.
  static let growing: [(name: String, make: @Sendable (_ count: Int) -> Workload)] = [
    ("entities", entities), ("family", family), ("attributes", attributes), ("links", links),
  ]

  /// The names of all.
  static var names: [String] { all.map(\.name) + growing.map(\.name) }

  /// One whose migration renames an attribute and adds another, in entities that `model` makes.
  static func renaming(
    _ name: String, title: String, _ fill: @escaping @Sendable (Connection, Int) throws -> Void,
    model: (_ attributes: String) -> String
  ) -> Workload {
    Workload(
      name: name, title: title,
      versions: [
        model(#"<attribute name="weight" optional="YES" attributeType="Double"/>"#),
        model(
          """
          <attribute name="mass" optional="YES" attributeType="Double" elementID="weight"/>
          <attribute name="status" attributeType="Integer 16" defaultValueString="1"/>
          """),
      ],
      migrations: [Migration(name: "rename", version: 2)], fill: fill)
  }

  /// The one of a name; no other one is made, because the text of a model of as many entities as a
  /// store has rows would fill the memory.
  static func named(_ name: String, _ count: Int) -> Workload? {
    all.first { $0.name == name } ?? growing.first { $0.name == name }?.make(count)
  }

  /// Writes everything into a folder; the same each time.
  func write(into folder: URL, count: Int) throws {
    try writeModels(into: folder)
    try makeStore(in: folder, count: count)
    let models = try ModelFile(folder.appending(path: models).path)
    for migration in migrations {
      try migration.write(into: folder, models: self.models, target: version(migration.version))
      let model = try models.model(named: version(migration.version))
      try NextSchema(of: model).write(as: migration.name, into: folder)
    }
  }

  private var models: String { "\(title).xcdatamodeld" }

  /// The name of a version; as Xcode has it, the first is without a number.
  private func version(_ number: Int) -> String { number == 1 ? title : "\(title) \(number)" }

  private func writeModels(into folder: URL) throws {
    let models = folder.appending(path: models)
    for (index, body) in versions.enumerated() {
      let model = models.appending(path: "\(version(index + 1)).xcdatamodel")
      try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
      let document = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        \(body)
        </model>

        """
      try Data(document.utf8).write(to: model.appending(path: "contents"))
    }
    let current = ["_XCCurrentVersionName": "\(version(2)).xcdatamodel"]
    try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
      .write(to: models.appending(path: ".xccurrentversion"))
  }

  private func makeStore(in folder: URL, count: Int) throws {
    let model = try ModelFile(folder.appending(path: models).path).model(named: title)
    let schema = try StoreSchema(of: model)
    let store = try NewStore(
      at: folder.appending(path: "\(title).sqlite").path, schema: schema,
      contents: NewStoreContents(uuid: "5F8A0C66-3C1E-4B1F-9E0F-0A0B0C0D0E0F"), durability: .off)
    try store.connection.execute("PRAGMA main.cache_size = -200000")
    try store.make(.tables)
    try store.connection.transaction {
      try fill(store.connection, count)
      for entity in schema.entities {
        try store.connection.run(
          """
          UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(Z_PK), 0) FROM \(entity.table))
          WHERE Z_ENT = ?1
          """, [.integer(Int64(entity.number))])
      }
    }
    try store.make(.indexes)
    // As an application leaves its store.
    try store.connection.setJournalMode("wal")
    try store.close()
  }
}
