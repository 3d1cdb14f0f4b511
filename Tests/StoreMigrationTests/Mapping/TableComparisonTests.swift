import CoreDataStore
import StoreMigration
import Testing

@Suite("Tables that both versions have alike")
struct TableComparisonTests {
  private typealias M = MappingModels

  private static let base = """
    <entity name="B">\(M.attribute("x", "Date"))
      <relationship name="c" optional="YES" maxCount="1" destinationEntity="C"
        inverseName="bs" inverseEntity="C"/></entity>
    <entity name="C"><relationship name="bs" optional="YES" destinationEntity="B"
        inverseName="c" inverseEntity="B"/></entity>
    <entity name="D"/>
    """

  /// The entities whose tables are the same.
  private func same(_ mapping: Mapping) -> [String] {
    mapping.objects.filter(\.tableIsSame).map(\.source)
  }

  @Test("nothing changed")
  func nothing() throws {
    #expect(try same(M.mapping(Self.base, Self.base)) == ["B", "C", "D"])
  }

  @Test("an entity before them gives all another number")
  func numbers() throws {
    #expect(try same(M.mapping(Self.base, "<entity name=\"A\"/>" + Self.base)) == [])
    #expect(
      try same(M.mapping(Self.base, Self.base + "<entity name=\"E\"/>")) == ["B", "C", "D"])
  }

  @Test("a new column, another flag, a condition, an order, new links")
  func changes() throws {
    let optional = M.attribute("y", "Date", "optional=\"YES\"")
    let column = Self.base.replacing(
      "<entity name=\"D\"/>", with: "<entity name=\"D\">\(optional)</entity>")
    #expect(try same(M.mapping(Self.base, column)) == ["B", "C"])
    let ordered = Self.base.replacing(
      "name=\"bs\" optional", with: "name=\"bs\" ordered=\"YES\" optional")
    #expect(try same(M.mapping(Self.base, ordered)) == ["C", "D"])
    let filtered = try M.mapping(Self.base, Self.base) {
      $0.filters = [ObjectFilter(entity: "C", condition: "bs IS NOT NULL")]
    }
    #expect(same(filtered) == ["D"])
  }

  @Test("a column that one entity leaves to another")
  func columnOfOthers() throws {
    func models(_ parent: String) -> String {
      "<entity name=\"A\"/><entity name=\"B\" parentEntity=\"A\">\(M.attribute("x", "Date"))"
        + "</entity><entity name=\"C\" parentEntity=\"\(parent)\"/>"
    }
    #expect(try same(M.mapping(models("B"), models("B"))) == ["A", "B", "C"])
    let moved = try M.mapping(models("B"), models("A")) { $0.drops = [NamedInstruction("C.x")] }
    #expect(same(moved) == [])
  }

  @Test("the number that stands in a second column")
  func secondColumn() throws {
    let before = Self.base + "<entity name=\"K\" parentEntity=\"C\"/>"
    #expect(try same(M.mapping(before, before)) == ["B", "C", "K", "D"].sorted())
    let after = before + "<entity name=\"J\" parentEntity=\"C\"/>"
    #expect(try same(M.mapping(before, after)) == [])
  }

  @Test("values that are exchanged by renaming are not the same")
  func exchanged() throws {
    let optional = "optional=\"YES\""
    let mapping = try M.entity(
      M.attribute("x", "Date") + M.attribute("y", "Date", optional),
      M.attribute("x", "Date", optional + " elementID=\"y\"")
        + M.attribute("y", "Date", "elementID=\"x\""))
    #expect(mapping.problems.isEmpty && same(mapping).isEmpty)
  }

  @Test("an entity with an equal version hash is copied, whatever its identifiers say")
  func equalHash() throws {
    let mapping = try M.entity(
      M.attribute("x", "Date") + M.attribute("y", "Date"),
      M.attribute("x", "Date", "elementID=\"y\"") + M.attribute("y", "Date", "elementID=\"x\""))
    #expect(mapping.problems.isEmpty && same(mapping) == ["A"])
  }
}
