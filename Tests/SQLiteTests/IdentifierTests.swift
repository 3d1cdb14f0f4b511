import SQLite
import Testing

@Suite("Quoted names") struct IdentifierTests {
  @Test(
    "a table of any name can be made and found",
    arguments: ["t", "two words", "quo\"te", "select", "a]b", "it's", "é\u{301}", "\"", "--", ";"])
  func quoted(name: String) throws {
    let store = try Connection(inMemory: .own)
    try store.execute("CREATE TABLE \(Identifier.quoted(name, in: "main")) (k)")
    try store.execute("INSERT INTO \(Identifier.quoted(name)) VALUES (1)")
    #expect(try Schema(of: store).objects.map(\.name) == [name])
  }

  @Test("a name with a NUL cannot be said in SQL")
  func nul() throws {
    let store = try Connection(inMemory: .own)
    #expect(
      sqliteError { _ = try store.prepare("CREATE TABLE \(Identifier.quoted("a\0b")) (k)") } != nil)
  }
}
