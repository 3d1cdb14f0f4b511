import CoreDataStore
import Foundation
import Lua
internal import StoreMigration

/// Runs a script's `create` ahead, block by block: an interpreter, and a connection to the source,
/// of one thread.
final class CreateWorker {
  private let work: CreateWork
  private let reader: ScriptedObjectReader
  private let stores: RecordingStores
  private let driver: ScriptCaller
  private let look: UInt64

  /// The records that a block may have, in bytes; objects beyond them wait for their turn.
  private static let mostBytes = 1 << 20

  /// Why a worker is no good any more; this is not reported.
  private enum Uselessness: Error {
    /// A module is not what it was when the run began.
    case scriptChanged
    /// `create` has kept something from one object to the next, or there is too much to look
    /// through.
    case keepsState
  }

  init(_ work: CreateWork) throws {
    self.work = work
    let reader = try ScriptedObjectReader(work.selection)
    let stores = RecordingStores(
      reader, source: work.sourceModel, target: work.targetModel, work.wholeMapping)
    (self.reader, self.stores) = (reader, stores)
    let world = try LoadedScript(
      work.file, params: work.options.params, limits: work.options.limits,
      canceller: work.canceller)
    guard world.digest == work.digest else { throw Uselessness.scriptChanged }
    let host = ScriptHost(
      world, stores, creates: work.outline.creates, runID: work.options.runID)
    try host.define("turn") { _ in throw stores.wait() }
    driver = try ScriptCaller(
      world, host, work.mapping, work.outline,
      now: work.options.now.timeIntervalSinceReferenceDate, isAhead: true)
    guard let look = try driver.look() else { throw Uselessness.keepsState }
    self.look = look
  }

  /// What `create` does for the objects of a block.
  func block(_ number: Int) throws -> CreateBlock {
    var block = CreateBlock()
    defer { stores.begin(nil) }
    try reader.objects(of: work.blocks.keys(of: number)) { source in
      guard block.byteCount < Self.mostBytes else { return }
      if let record = try record(of: source) { block.add(record, source.id.key) }
    }
    // In another order, the same objects could have come to something else.
    guard try driver.look() == look else { throw Uselessness.keepsState }
    return block
  }

  private func record(of source: SourceObject) throws -> CreateRecord? {
    let host = driver.host
    stores.begin(source)
    host.begin(.init(id: source.id, row: 0), name: source.id.entity)
    let rounded = host.objects.rounded
    do {
      try driver.begin()
      try driver.create(source.id)
    } catch let error as LuaError where error.kind != .error {
      throw error
    } catch {
      _ = stores.wait()
    }
    let warnings = host.takeWarnings()
    guard !stores.needsTurn, host.decision == nil else { return nil }
    var record = stores.record
    record.rounded = host.objects.rounded - rounded
    record.warnings = warnings
    record.byteCount += 96 + 256 * warnings.kept.count
    return record
  }
}
