import CoreDataStore
import Testing

@Suite("References to properties") struct PropertyReferenceTests {
  @Test("they are written as entity and property")
  func description() { #expect(PropertyReference("Item", "note").description == "Item.note") }

  @Test("they go by entity, then by name, capitals first")
  func order() {
    let sorted = [
      PropertyReference("b", "a"), PropertyReference("B", "b"), PropertyReference("B", "a"),
      PropertyReference("B", "Z"),
    ].sorted().map(\.description)
    #expect(sorted == ["B.Z", "B.a", "B.b", "b.a"])
  }
}
