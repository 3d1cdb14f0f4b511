import CoreDataStore
import Testing

@Suite("Framework versions") struct FrameworkVersionTests {
  @Test("each rule begins where it was first seen")
  func rules() {
    #expect(!FrameworkVersion(519).keepsModel)
    #expect(FrameworkVersion(637).keepsModel)
    #expect(!FrameworkVersion(866).writesDigest)
    #expect(FrameworkVersion(969).writesDigest)
    #expect(!FrameworkVersion(1251).writesChecksum)
    #expect(FrameworkVersion(1321).writesChecksum)
    #expect(!FrameworkVersion(1344).writesMaximum)
    #expect(FrameworkVersion.newest.writesMaximum)
  }
}
