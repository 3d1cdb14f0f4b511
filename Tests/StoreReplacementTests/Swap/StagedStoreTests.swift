import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("The staged store", .temporaryFolder) struct StagedStoreTests {
  private func change(_ sample: SwapSample, _ sql: String) throws {
    let next = try Connection(path: sample.folder.nextPath, mode: .own(create: false))
    try next.execute(sql)
    try next.close()
  }

  @Test("it is sealed when it is whole and marked", arguments: [false, true])
  func seal(full: Bool) throws {
    let sample = try SwapSample()
    try change(sample, "UPDATE ZPERSON SET Z_OPT = 4")
    var state = try #require(try RunState.read(sample.folder))
    let first = state.next
    try StagedStore.seal(sample.folder, &state, full: full)
    #expect(state.phase == .validated)
    #expect(state.next != first)
    #expect(try RunState.read(sample.folder) == state)
  }

  @Test("without the run's mark, or not closed, it is not")
  func refusals() throws {
    let sample = try SwapSample()
    var state = try #require(try RunState.read(sample.folder))
    state.mark = "another"
    #expect(throws: Failure.self) { try StagedStore.seal(sample.folder, &state) }
    state.mark = SwapSample.run
    try Data([1]).write(to: URL(filePath: sample.folder.nextPath + "-wal"))
    let error = #expect(throws: Failure.self) { try StagedStore.seal(sample.folder, &state) }
    #expect(error?.why.contains("not closed") == true)
  }

  @Test("a -journal that could not be removed, and is not hot, goes", arguments: [0, 1, 600])
  func journal(length: Int) throws {
    let sample = try SwapSample()
    let journal = sample.folder.nextPath + "-journal"
    try Data(count: length).write(to: URL(filePath: journal))
    var state = try #require(try RunState.read(sample.folder))
    try StagedStore.seal(sample.folder, &state)
    #expect(state.phase == .validated)
    #expect(!FileManager.default.fileExists(atPath: journal))
  }
}
