internal import CoreDataStore
internal import Foundation
internal import StoreMigration

/// Makes the stores of a sample in a folder that has its models already.
struct SampleStores {
  let size: Sample.Size
  private let folder: URL
  private let models: ModelFile

  init(_ sample: Sample, in folder: URL, size: Sample.Size) throws {
    self.folder = folder
    self.size = size
    models = try ModelFile(
      folder.appending(path: URL(filePath: sample.models).lastPathComponent).path)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The schema of a store of a version.
  func schema(_ version: String) throws -> StoreSchema {
    try StoreSchema(of: try models.model(named: version))
  }

  /// Makes a store of a version, with the objects that `fill` adds.
  func make(
    _ name: String, version: String, _ contents: NewStoreContents,
    _ fill: (StoreFixture) throws -> Void
  ) throws {
    try StoreFixture.make(
      at: path(name), schema: try schema(version), contents: contents, fill)
  }
}
