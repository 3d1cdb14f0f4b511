import CoreDataStore
import StorePipeline
import TestSupport
import Testing

@Suite("Preflights of versions", .temporaryFolder)
struct VersionPreflightTests {
  @Test("the last version's failures alone are errors, and none are without a version")
  func errors() throws {
    let (_, found) = try PreflightSample.preflight(limit: 1)
    #expect(found.errors == 4 && found.map(\.isLast) == [true])
    #expect([VersionPreflight]().errors == 0)
  }
}
