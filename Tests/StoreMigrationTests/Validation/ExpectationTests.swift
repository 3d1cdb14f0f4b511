import CoreDataStore
import StoreMigration
import TestSupport
import Testing

private typealias Expectation = StoreMigration.Expectation
private typealias S = ValidationSample

@Suite("Expectations", .temporaryFolder) struct ExpectationTests {
  private static func outcome(_ expectation: Expectation) throws -> ExpectationOutcome {
    let schema = try S.schema()
    let mapping = Mapping(from: schema.model, to: schema.model)
    let source = Validation.Source(
      path: try S.store(schema: schema, ";UPDATE ZNOTE SET ZRANK = 2"),
      schema: schema, mappings: [mapping])
    let result = try Validation(
      store: try S.store(schema: schema), schema: schema, source: source,
      choices: Validation.Choices(expectations: [expectation])
    ).run()
    #expect(result.errors == 0)
    let outcome = try #require(result.expectations.first)
    #expect(result.isPassed == outcome.isMet)
    return outcome
  }

  @Test(
    "a number is counted or summed, subentities with their parent",
    arguments: [
      ("count(Note)", 3), ("count(Note where rank = 9)", 1), ("COUNT( Note WHERE rank = nil )", 1),
      ("count(Thing)", 2), ("count(Pen)", 1), ("count(Note where title = ')')", 0),
      ("count(Note where rank = 1\n OR rank = 9)", 2), ("sum(Note.rank)", 10),
      ("sum(Note.rank where title BEGINSWITH 'M')", 1), ("sum(Note.rank where title = '')", 0),
    ] as [(String, Int64)])
  func numbers(text: String, expected: Int64) throws {
    let outcome = try Self.outcome(Expectation(name: "x", destination: text, equals: expected))
    #expect(outcome.destination == expected)
    #expect(outcome.isMet)
  }

  @Test("source, destination and equals are compared, as far as they are given")
  func compared() throws {
    let sum = "sum(Note.rank)"
    let differs = try Self.outcome(Expectation(name: "x", source: sum, destination: sum))
    #expect(differs.source == 6 && differs.destination == 10 && !differs.isMet)
    let same = try Self.outcome(
      Expectation(name: "x", source: "count(Tag)", destination: "count(Pen)"))
    #expect(same.isMet)
  }

  @Test("the source's number may be given", arguments: [(6, true), (7, false)])
  func sourceAlone(equals: Int64, isMet: Bool) throws {
    let outcome = try Self.outcome(
      Expectation(name: "x", source: "sum(Note.rank)", equals: equals))
    #expect(outcome.isMet == isMet)
    #expect(outcome.destination == nil)
  }

  @Test(
    "what is not understood is an error with its line",
    arguments: [
      ("count(Nite)", "has no entity Nite; did you mean Note?"),
      ("count(Note where renk = 1)", "Note has no property renk; did you mean rank?"),
      ("count Note", "It is neither a count nor a sum."),
      ("max(Note.rank)", "It is neither a count nor a sum."),
      ("count(Note.rank)", "A count is of an entity."), ("sum(Note)", "A sum is over an attribute"),
      ("sum(Note.price)", "Note.price holds no whole numbers"),
      ("count(Note with rank = 1)", "does not begin with \"where\""),
      ("count(Note where )", "does not begin with \"where\""),
    ])
  func refused(text: String, why: String) throws {
    let schema = try S.schema()
    let expectation = Expectation(name: "x", destination: text, equals: 0, line: 59)
    let error = #expect(throws: Failure.self) {
      try ExpectationCheck(expectation, source: nil, target: schema)
    }
    #expect(error?.why.contains(why) == true, "\(error?.why ?? "no error")")
    #expect(error?.line == 59)
  }

  @Test("an expectation that compares nothing, or asks a source that is not there, is an error")
  func nothing() throws {
    let schema = try S.schema()
    for expectation in [
      Expectation(name: "x", equals: 1), Expectation(name: "x", destination: "count(Note)"),
      Expectation(name: "x", source: "count(Note)", equals: 1),
    ] {
      #expect(throws: Failure.self) {
        try ExpectationCheck(expectation, source: nil, target: schema)
      }
    }
  }
}
