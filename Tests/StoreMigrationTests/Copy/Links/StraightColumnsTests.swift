@testable import StoreMigration
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Columns of pairs that come over as they are", .temporaryFolder)
struct StraightColumnsTests {
  private func columns(
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> StraightColumns? {
    let builder = try StartSample.sample(instruct).builder()
    let units = LinkUnits(builder)
    let unit = try #require(units.all.first)
    return StraightColumns(builder, units, try #require(units.gatherings(unit).first))
  }

  @Test("tables and columns are paired by name")
  func plain() throws {
    let columns = try #require(try columns())
    #expect(columns.isSame && columns.columns.count == 2)
    #expect(columns.sourceTable == columns.targetTable)
  }

  @Test("links of objects that a script makes have to be looked at one by one")
  func scripted() throws {
    let columns = try columns { instructions in
      instructions.scripts.append(
        ScriptClaim(entity: "A", attributes: [], reads: [], makesObjects: true))
    }
    #expect(columns == nil)
  }
}
