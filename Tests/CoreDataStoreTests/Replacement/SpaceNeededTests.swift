import CoreDataStore
import TestSupport
import Testing

@Suite("The space that a run needs", .temporaryFolder) struct SpaceNeededTests {
  @Test("both disks' figures add up")
  func figures() {
    let spare: Int64 = 16 << 20
    let run = SpaceNeeded(old: 100, new: 130, stores: 2, oldBlobs: 7, newBlobs: 5)
    #expect(run.work == 100 + 260 + 5 + 107 + spare)
    #expect(run.store == 100 + 30 + 5 + spare)
    #expect(run.total == run.work + run.store)
    let plain = SpaceNeeded(old: 100, new: 30, oldBlobs: 7, hasBackup: false)
    #expect(plain.work == 130 + spare)
    #expect(plain.store == 100 + spare)
  }

  @Test("too little is refused with the figures, enough is not")
  func check() throws {
    let folder = try RunFolder(store: StoreSample.make())
    try SpaceNeeded(old: 1, new: 1).check(folder)
    let error = #expect(throws: StoreError.self) {
      try SpaceNeeded(old: 1 << 60, new: 1).check(folder)
    }
    #expect(error?.category == .refused)
    #expect(error?.why.contains("bytes are needed") == true)
  }
}
