import CoreDataStore
import StoreMigration
import Testing

@Suite("Changes of type")
struct ConversionTests {
  @Test(
    "harmless ones",
    arguments: [
      (AttributeType.integer16, AttributeType.integer32), (.integer16, .integer64),
      (.integer32, .integer64), (.integer32, .double), (.integer16, .float),
      (.integer64, .decimal), (.float, .double), (.boolean, .integer16), (.integer64, .string),
      (.double, .string), (.decimal, .string), (.boolean, .string), (.uuid, .string),
      (.uri, .string), (.integer32, .date), (.double, .date), (.date, .double),
    ])
  func harmless(from: AttributeType, to: AttributeType) throws {
    let conversion = try #require(Conversion(from: from, to: to))
    #expect(conversion.isHarmless && !conversion.rule.isEmpty)
  }

  @Test(
    "those that can fail or lose precision",
    arguments: [
      (AttributeType.integer64, AttributeType.integer32, true, false),
      (.integer64, .double, false, true), (.integer32, .float, false, true),
      (.double, .integer64, true, false), (.decimal, .integer16, true, false),
      (.double, .float, true, true), (.decimal, .double, false, true),
      (.double, .decimal, true, false), (.integer16, .boolean, true, false),
      (.string, .integer32, true, false), (.string, .decimal, true, false),
      (.string, .uuid, true, false), (.string, .uri, true, false),
      (.date, .integer64, true, true), (.date, .float, true, true), (.decimal, .float, true, true),
      (.decimal, .date, false, true), (.date, .string, true, true),
    ])
  func harmful(from: AttributeType, to: AttributeType, fails: Bool, loses: Bool) throws {
    let conversion = try #require(Conversion(from: from, to: to))
    #expect(conversion.canFail == fails && conversion.losesPrecision == loses)
  }

  @Test(
    "those without a clear rule",
    arguments: [
      (AttributeType.string, AttributeType.date), (.string, .boolean), (.binary, .string),
      (.string, .binary), (.transformable, .binary), (.boolean, .date), (.double, .boolean),
      (.boolean, .double), (.uuid, .binary), (.uri, .uuid), (.undefined, .string),
      (.string, .string),
    ])
  func none(from: AttributeType, to: AttributeType) {
    #expect(Conversion(from: from, to: to) == nil)
  }
}
