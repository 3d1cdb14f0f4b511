import CoreDataStore
import Lua
internal import StoreMigration

/// What a thread needs to call a script's functions of attributes by itself.
struct AttributeWork: Sendable {
  /// A function, and the columns of the selection that it is given.
  struct Function: Sendable {
    let name: String
    let arguments: [(column: Int, form: LuaRows.Form)]
    /// Whether columns are all that it is given; the others are left to the one that writes.
    let isPlain: Bool
  }

  let functions: [Function]
  let selection: ComputedRowSelection
  let blocks: KeyBlocks
  let file: ScriptFile
  /// Of the script and all that it requires, as the one that writes has them.
  let digest: String
  let params: [String: OptionValue]
  let limits: LuaLimits
  let canceller: LuaCanceller

  /// Objects in a block, about: enough of them to outweigh the handing over.
  private static let objectsAtOnce = 1500
  /// Bytes of the source's file in a block, about, where objects are large.
  private static let bytesAtOnce = 512 << 10
  /// The fewest objects for which threads are started.
  static let fewestObjects = 4000

  /// The work on what is left of an entity; nil where it is little, or cannot be done in addition
  /// to the thread that writes.
  init?(
    _ plan: ScriptLoopPlan, _ copy: ScriptedCopy, _ builder: StoreBuilder,
    _ driver: ScriptCaller, _ options: ScriptOptions
  ) throws {
    let left = copy.total - copy.rows
    let plain = driver.attributes.indices.filter { plan.functions[$0].reference != nil }
    let reads = Set(plain.flatMap { driver.attributes[$0].parameters })
    guard left >= Self.fewestObjects, !plain.isEmpty, let keys = try copy.keysLeft(),
      let selection = try plan.rows.selection(of: reads, builder)
    else { return nil }
    let atOnce = try Self.bytesAtOnce / max(1, copy.mostBytesEach())
    blocks = KeyBlocks(
      keys, objects: left, atOnce: min(Self.objectsAtOnce, max(16, atOnce)))
    guard blocks.count > 1 else { return nil }
    functions = zip(driver.attributes, plan.functions).map { attribute, function in
      let columns = attribute.parameters.compactMap { selection.column(of: $0) }
      return Function(
        name: attribute.name, arguments: zip(columns, function.arguments).map { ($0, $1.form) },
        isPlain: function.reference != nil)
    }
    self.selection = selection
    (file, digest) = (driver.world.file, driver.world.digest)
    (params, limits) = (options.params, options.limits)
    canceller = LuaCanceller(within: options.canceller)
  }
}
