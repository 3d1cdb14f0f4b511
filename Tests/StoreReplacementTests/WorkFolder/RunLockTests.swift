import CoreDataStore
import Foundation
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("The run's lock", .temporaryFolder) struct RunLockTests {
  @Test("one holder at a time, in this process and in others")
  func lock() async throws {
    let folder = try WorkFolder(store: StoreSample.make())
    let lock = try RunLock(folder)
    let error = #expect(throws: Failure.self) { _ = try RunLock(folder) }
    #expect(error?.kind == .busy)
    await #expect(processExitsWith: .exitCode(5)) { [path = folder.store as String] in
      do {
        _ = try RunLock(WorkFolder(store: path))
      } catch let error as Failure {
        exit(error.kind.status)
      }
    }
    lock.unlock()
    let next = try RunLock(folder)
    next.unlock()
  }

  @Test("it goes with a process that dies")
  func death() async throws {
    let folder = try WorkFolder(store: StoreSample.make())
    await #expect(processExitsWith: .exitCode(9)) { [path = folder.store as String] in
      let lock = try RunLock(WorkFolder(store: path))
      withExtendedLifetime(lock) { () -> Void in _exit(9) }
    }
    try RunLock(folder).unlock()
  }

  @Test("a process that meets another at the folders gets the lock, or is asked to wait")
  func race() async throws {
    let folder = try WorkFolder(store: StoreSample.make())
    let refusals = await withTaskGroup(of: [Failure.Kind].self) { group in
      for _ in 0..<2 {
        group.addTask {
          (0..<200).compactMap { _ in
            do {
              let lock = try RunLock(folder)
              defer { lock.unlock() }
              try folder.removeRun()
              return nil
            } catch {
              return (error as? Failure)?.kind ?? .notCoreData
            }
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(refusals.allSatisfy { $0 == .busy }, "\(Set(refusals))")
  }
}
