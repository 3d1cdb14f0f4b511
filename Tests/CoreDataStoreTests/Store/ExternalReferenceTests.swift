import CoreDataStore
import Testing

@Suite("References to external files") struct ExternalReferenceTests {
  private static let name = "0F8FAD5B-D9CB-469F-A165-70867728950E"

  @Test("what a column holds leads to the name and back")
  func roundTrip() throws {
    let stored = [2] + Array(Self.name.utf8) + [0]
    let reference = try #require(ExternalReference(stored: stored))
    #expect(reference.name == Self.name)
    #expect(reference == ExternalReference(Self.name))
    #expect(reference.stored == stored && stored.count == ExternalReference.length)
  }

  @Test(
    "a name that is no upper-case UUID is refused, a path above all",
    arguments: [
      "", "0f8fad5b-d9cb-469f-a165-70867728950e", "0F8FAD5BXD9CB-469F-A165-70867728950E",
      "0F8FAD5B-D9CB-469F-A165-70867728950", "0F8FAD5B-D9CB-469F-A165-70867728950E0",
      "../../../../../../../../../etc/passw", "0F8FAD5B-D9CB-469F-A165-70867728950G",
    ])
  func names(name: String) {
    #expect(ExternalReference(name) == nil)
    #expect(ExternalReference(stored: [2] + Array(name.utf8) + [0]) == nil)
  }

  @Test("the mark, the length and the zero at the end all count")
  func marks() {
    let name = Array(Self.name.utf8)
    for bytes in [[1] + name + [0], [2] + name, [2] + name + [1], [2] + name + [0, 0], []] {
      #expect(ExternalReference(stored: bytes) == nil)
    }
  }
}
