import CoreDataStore
import Foundation
import Testing

@Suite("What stores may take of the memory") struct StoreLimitsTests {
  @Test("a megabyte is the least that values may take") func least() async {
    await #expect(processExitsWith: .exitCode(6)) {
      guard StoreLimits.longestValue == StoreLimits.usualLongestValue else { exit(1) }
      StoreLimits.longestValue = 5
      guard StoreLimits.longestValue == 1 << 20 else { exit(2) }
      StoreLimits.longestValue = .max
      exit(StoreLimits.longestValue == Int(Int32.max) ? 6 : 3)
    }
  }
}
