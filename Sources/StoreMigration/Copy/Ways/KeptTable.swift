internal import CoreDataStore

/// The way `kept`: the objects are there since the store began as a clone of the source.
struct KeptTable: EntityCopy {
  let progress: CopyProgress

  /// The objects of a mapping that ``StoreBuilder`` has noted as copied when it began.
  init(_ builder: StoreBuilder, _ object: ObjectMapping) throws {
    guard let row = try builder.progress(of: CopiedRows.unit(of: object)), row.isDone else {
      throw Failure.defect(
        "the table was to stay in the clone, and is not noted as there",
        what: "cannot copy the objects", subject: "entity \(object.source)")
    }
    progress = CopyProgress(entity: object.source, rows: row.rows, total: row.rows, bytes: 0)
  }

  func chunk() throws -> Bool { false }
}
