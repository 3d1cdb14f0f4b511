import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport

/// Items with pictures and owners, and the script that brings them to the new version.
struct ScriptSample {
  let stores: BuildSample
  let script: ScriptText

  private static let person = """
    <entity name="Person">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item"
        inverseName="owner" inverseEntity="Item"/>
    </entity>
    """

  private static let owner = """
    <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person"
      inverseName="items" inverseEntity="Person"/>
    """

  static let before = """
    <entity name="Item">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="price" optional="YES" attributeType="Double"/>
      <attribute name="qty" optional="YES" attributeType="Integer 32"/>
      <attribute name="image" optional="YES" attributeType="Binary"/>
      \(owner)
    </entity>
    \(person)
    """

  static let after = """
    <entity name="Item">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="title" attributeType="String" defaultValueString="-"/>
      <attribute name="total" optional="YES" attributeType="Double"/>
      <attribute name="place" optional="YES" attributeType="Integer 16"/>
      \(owner)
      <relationship name="photo" optional="YES" maxCount="1" destinationEntity="Photo"
        inverseName="item" inverseEntity="Photo"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag"
        inverseName="items" inverseEntity="Tag"/>
    </entity>
    <entity name="Photo">
      <attribute name="data" attributeType="Binary"/>
      <attribute name="size" optional="YES" attributeType="Integer 32"/>
      <relationship name="item" optional="YES" maxCount="1" destinationEntity="Item"
        inverseName="photo" inverseEntity="Item"/>
    </entity>
    \(person)
    <entity name="Tag">
      <attribute name="word" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item"
        inverseName="tags" inverseEntity="Item"/>
    </entity>
    """

  /// Three items: a lamp with a picture, of Ann; a chair; a box without a price, of Ann.
  static let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPRICE, ZQTY, ZIMAGE, ZOWNER) VALUES
      (1, 1, 1, 'lamp', 2.5, 4, x'0102', 1), (2, 1, 1, 'chair', 30, 1, NULL, NULL),
      (5, 1, 1, 'box', NULL, 3, NULL, 1);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Ann');
    """

  /// A script for the items; stores that are compared need folders of their own.
  init(_ text: String, in folder: String = "") throws {
    let folder = TemporaryFolder.url.appending(path: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    script = try ScriptText(text)
    let outline = try script.outline()
    stores = try BuildSample(
      Self.before, Self.after, rows: Self.rows, in: folder
    ) {
      $0.scripts = [
        ScriptClaim(
          entity: "Item", attributes: outline.computed, reads: outline.reads,
          makesObjects: outline.makesObjects)
      ]
    }
  }

  /// The options of a run, which a test may change.
  var options: ScriptOptions {
    ScriptOptions(
      runID: "run", now: Date(timeIntervalSinceReferenceDate: 1000),
      rejectsPath: stores.path("rejects.sqlite"))
  }

  /// The script at work.
  func run(
    _ builder: StoreBuilder, chunk: Int = 10_000,
    _ change: (inout ScriptOptions) -> Void = { _ in }
  ) throws -> ScriptRun {
    var options = options
    change(&options)
    return try ScriptRun(
      try script.outline(options.params), builder, entity: "Item", options,
      limits: ChunkLimits(rows: chunk))
  }

  /// The whole of the script's work; rows of the new store afterwards.
  func rows(
    _ sql: String, chunk: Int = 10_000, _ change: (inout ScriptOptions) -> Void = { _ in }
  ) throws -> [String] {
    let builder = try stores.builder()
    try Self.finish(try run(builder, chunk: chunk, change))
    return try BuildSample.rows(sql, builder)
  }

  /// Lets a script do everything that is left.
  static func finish(_ run: ScriptRun) throws {
    while try run.chunk() {}
    try run.relate()
    try run.finish()
  }

  /// The failure of a script that stops the run.
  func failure(_ change: (inout ScriptOptions) -> Void = { _ in }) throws -> ScriptFailure? {
    let builder = try stores.builder()
    do {
      try Self.finish(try run(builder, change))
      return nil
    } catch let failure as ScriptFailure {
      return failure
    }
  }
}
