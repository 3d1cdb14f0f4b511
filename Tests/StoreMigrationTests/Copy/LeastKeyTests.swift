import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

private typealias M = MappingModels

@Suite("The least and the greatest key", .temporaryFolder)
struct LeastKeyTests {
  private static let body = M.attribute("n", "Integer 16", "optional=\"YES\"")
  private static let rows = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES
    (-9223372036854775808, 1, 1, 1), (-1, 1, 1, 2), (0, 1, 1, 3), (9223372036854775807, 1, 1, 4);
    """
  private static let all = [1, 2, 3, 4].map { [Value.integer($0)] }

  @Test("objects of these keys are copied, at once, one by one and by a condition")
  func copied() throws {
    let more = M.attribute("m", "Integer 16", "optional=\"YES\"")
    let sample = try CopySample.entity(Self.body, Self.body + more, rows: Self.rows)
    #expect(try sample.rows("SELECT ZN FROM main.ZA ORDER BY Z_PK") == Self.all)
  }

  @Test("a condition leaves them where they meet it")
  func conditions() throws {
    let more = M.attribute("m", "Integer 16", "optional=\"YES\"")
    let sample = try CopySample.entity(Self.body, Self.body + more, rows: Self.rows) {
      $0.filters = [ObjectFilter(entity: "A", condition: "n > 0")]
    }
    #expect(try sample.rows("SELECT ZN FROM main.ZA ORDER BY Z_PK") == Self.all)
  }

  @Test("what has not begun is noted as that, and begins with the least key")
  func progress() throws {
    let sample = try CopySample.entity(Self.body, Self.body, rows: Self.rows)
    let builder = try sample.builder()
    try builder.record(ProgressRow(unit: "unit"))
    #expect(try builder.progress(of: "unit") == ProgressRow(unit: "unit"))
    try builder.record(ProgressRow(unit: "unit", last: .min))
    #expect(try builder.progress(of: "unit")?.last == .min)
  }

  @Test("objects are handed over one at a time, and made ones found again")
  func handed() throws {
    let sample = try CopySample.entity(Self.body, Self.body, rows: Self.rows)
    let builder = try sample.builder()
    let copy = try ScriptedCopy(builder, entity: "A", limits: ChunkLimits(rows: 1))
    #expect(try copy.keysLeft() == Int64.min...Int64.max)
    var keys: [Int64] = []
    while try copy.chunk(state: { nil }, { keys.append($0.id.key) }) {}
    #expect(keys == [.min, -1, 0, .max])
  }
}
