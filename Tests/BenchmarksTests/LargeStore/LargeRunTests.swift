import Foundation
import SQLite
import TestSupport
import Testing

@testable import Benchmarks
@testable import LargeStore

/// What only many objects show: what outgrows memory, sorting in files, commits on the way.
@Suite("Runs of large stores", .temporaryFolder) struct LargeRunTests {
  @Test("a chain with a script in each step migrates and verifies 60,000 objects")
  func chain() throws {
    try Workload.things.write(into: TemporaryFolder.url, count: 60_000)
    let pipeline = BuiltPrograms.folder.appending(path: "pipeline").path
    let (output, complaints) = try Meter.output(of: [
      pipeline, "run", samplePath("chain.pipeline"), samplePath("Things.sqlite"), "--quiet",
    ])
    #expect(complaints.isEmpty, "\(output)")
    let store = try Connection(path: samplePath("Things.sqlite"), mode: .foreign)
    #expect(try store.integer("SELECT count(ZFIRSTNAME) FROM ZITEM") == 60_000)
    #expect(try store.problems(.full) == [])
    try store.close()
    #expect(Meter.succeeds([pipeline, "verify", samplePath("Things.sqlite")]))
  }
}
