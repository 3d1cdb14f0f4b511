import CoreDataStore
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Warnings of a run", .temporaryFolder) struct RunWarningsTests {
  @Test("the process that resumes the run finds them, and nobody else")
  func kept() throws {
    let folder = try WorkFolder(store: StoreSample.make())
    try folder.make()
    #expect(RunWarnings.read(run: "1", folder) == [])
    RunWarnings.write(["one", "two"], run: "1", folder)
    #expect(RunWarnings.read(run: "1", folder) == ["one", "two"])
    #expect(RunWarnings.read(run: "2", folder) == [])
  }

  @Test("a folder that is not there has none, and takes none")
  func missing() throws {
    let folder = try WorkFolder(store: StoreSample.make())
    RunWarnings.write(["one"], run: "1", folder)
    #expect(RunWarnings.read(run: "1", folder) == [])
  }
}
