import CoreDataStore
import Foundation
import Lua
internal import StoreMigration

/// What a thread needs to run a script's `create` by itself.
struct CreateWork: Sendable {
  let outline: ScriptOutline
  let mapping: ObjectMapping?
  let wholeMapping: Mapping?
  let sourceModel: Model
  let targetModel: Model
  let selection: ScriptedObjectSelection
  let blocks: KeyBlocks
  let file: ScriptFile
  /// Of the script and all that it requires, as the one that writes has them.
  let digest: String
  let options: ScriptOptions
  let canceller: LuaCanceller

  /// Objects in a block, about: enough of them to outweigh the handing over.
  private static let objectsAtOnce = 200
  /// Bytes of the source's file in a block, about, where objects are large.
  private static let bytesAtOnce = 512 << 10
  /// The fewest objects for which threads are started, unless they have so many bytes.
  private static let fewest = (objects: 1000, bytes: 8 << 20)

  /// The work on what is left of an entity; nil where it is little, or cannot be done in addition
  /// to the thread that writes.
  init?(
    _ copy: ScriptedCopy, _ driver: ScriptCaller, _ stores: any ScriptStores,
    _ outline: ScriptOutline, _ mapping: ObjectMapping?, _ options: ScriptOptions
  ) throws {
    let left = copy.total - copy.rows
    let each = max(1, try copy.mostBytesEach())
    guard left >= Self.fewest.objects || left >= Self.fewest.bytes / each,
      let keys = try copy.keysLeft(), let selection = try copy.objectSelection()
    else { return nil }
    blocks = KeyBlocks(
      keys, objects: left, atOnce: min(Self.objectsAtOnce, max(1, Self.bytesAtOnce / each)))
    guard blocks.count > 1 else { return nil }
    (self.outline, self.mapping, self.options) = (outline, mapping, options)
    (sourceModel, targetModel) = (stores.model(of: .source), stores.model(of: .target))
    wholeMapping = stores.mapping
    self.selection = selection
    (file, digest) = (driver.world.file, driver.world.digest)
    canceller = LuaCanceller(within: options.canceller)
  }
}

extension ScriptCaller {
  /// All that `create` and the functions of attributes can reach and change, as a number that
  /// changes with it; nil when there is too much to look at.
  func look() throws -> UInt64? {
    let functions = [try world.result.field("create")] + attributes.map(\.function)
    return try world.state.look(
      at: functions.map {
        LuaRows.Function($0, [], parameter: 0, form: .other, isOptional: true)
      })
  }
}
