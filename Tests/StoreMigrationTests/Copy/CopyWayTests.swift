import CoreDataStore
import Foundation
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@Suite("The way of an entity's objects", .temporaryFolder)
struct CopyWayTests {
  private static let attribute =
    "<attribute name=\"n\" optional=\"YES\" attributeType=\"Integer 16\"/>"
  private static let one = "<entity name=\"A\">\(attribute)</entity>"
  private static let more = """
    <entity name="A">\(attribute)
    <attribute name="m" optional="YES" attributeType="String"/></entity>
    """
  private static let rows = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 5), (2, 1, 1, 6);
    """

  private static func sample(_ new: String = one) throws -> BuildSample {
    let folder = TemporaryFolder.url.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return try BuildSample(one, new, rows: rows, in: folder)
  }

  private static func way(
    _ sample: BuildSample, start: StoreStart = .empty, staying: Set<String> = [],
    _ script: ScriptClaim? = nil
  ) throws -> CopyWay? {
    try CopyWays(
      from: StoreSchema(of: sample.source), to: StoreSchema(of: sample.target), sample.mapping,
      scripts: script.map { [$0] } ?? [], start: start, staying: staying
    ).way(of: "A")
  }

  @Test("is that of its table where this stays, as the store begins")
  func tables() throws {
    let sample = try Self.sample()
    #expect(try Self.way(sample, start: .clone, staying: ["ZA"]) == .kept)
    #expect(try Self.way(sample, staying: ["ZA"]) == .moved)
    #expect(try Self.way(sample, start: .clone) == .copied)
  }

  @Test("is the script's where a script is given the objects: values of rows, or objects")
  func scripts() throws {
    let sample = try Self.sample(Self.more)
    let values = ScriptClaim(entity: "A", attributes: ["m"], reads: ["n"])
    #expect(try Self.way(sample, values) == .computed)
    #expect(try Self.way(sample, ScriptClaim(entity: "A", makesObjects: true)) == .made)
  }

  @Test("is obeyed: a table that could move as a whole is copied by rows where that was planned")
  func obeyed() throws {
    for (ways, isMoved) in [([:], true), (["A": CopyWay.copied], false)] {
      let sample = try Self.sample()
      let object = try #require(sample.mapping.objects(from: "A"))
      let copy = try sample.builder(ways).copy(of: object, limits: ChunkLimits(rows: 1))
      #expect(try copy.chunk() != isMoved)
      #expect(copy.progress.rows == (isMoved ? 2 : 1))
    }
  }
}
