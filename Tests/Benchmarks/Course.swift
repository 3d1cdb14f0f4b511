import Foundation

/// What the races are run with: the built programs, the peers' scripts, and the stores.
struct Course {
  /// What was asked for.
  let options: BenchOptions
  /// Runs and measures.
  let meter: Meter
  /// The program of this package.
  let pipeline: String
  /// What it can do.
  let abilities: Abilities
  /// The scripts of the peers.
  let peers: String
  /// The Python with the peers' packages, or the one that is there.
  let python: String

  private let folder: URL
  private let generator: String

  /// Finds everything; the folder is emptied.
  init(_ options: BenchOptions) throws {
    self.options = options
    let programs = URL(filePath: options.programs)
    meter = Meter(in: programs)
    pipeline = programs.appending(path: "pipeline").path
    generator = programs.appending(path: "LargeStore").path
    peers = URL(filePath: options.peers).path
    let packages = URL(filePath: options.python).path
    python = FileManager.default.fileExists(atPath: packages) ? packages : "python3"
    folder = URL(filePath: options.folder)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    abilities = try Abilities(of: pipeline)
    _ = Meter.succeeds(["sh", "\(peers)/build.sh", peer("m2"), "\(peers)/m2.c"])
  }

  /// Where a race has its files.
  var field: URL { folder.appending(path: "race") }

  /// A peer that was compiled.
  func peer(_ name: String) -> String { folder.appending(path: name).path }

  /// Makes a store, unless it is there.
  func store(_ kind: String, rows: Int) throws -> URL {
    let folder = folder.appending(path: "\(kind)-\(rows)")
    let store = folder.appending(path: "\(kind.capitalized).sqlite")
    guard !FileManager.default.fileExists(atPath: store.path) else { return store }
    let (_, complaints) = try Meter.output(of: [generator, folder.path, kind, "\(rows)"])
    guard FileManager.default.fileExists(atPath: store.path) else {
      throw BenchError("the store \(kind) could not be made: \(complaints)")
    }
    return store
  }

  /// Removes a store that is not wanted any more.
  func remove(_ store: URL) throws {
    try FileManager.default.removeItem(at: store.deletingLastPathComponent())
  }

  /// Removes everything.
  func leave() throws { try FileManager.default.removeItem(at: folder) }
}
