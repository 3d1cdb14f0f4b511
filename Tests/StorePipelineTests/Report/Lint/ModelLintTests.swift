import CoreDataStore
import Formats
import StoreTestSupport
import Testing

@testable import StorePipeline

@Suite("What rules find in a change of a model")
struct ModelLintTests {
  private typealias Allowance = ModelLint.Allowance

  private static func lint(
    _ failing: String, warning: [String] = [], allowing allowances: [String] = []
  ) throws -> ModelLint {
    ModelLint(
      try ModelDifferenceReportTests.notes(), failing: LintRule.named(failing),
      warning: warning.flatMap(LintRule.named), allowing: allowances.compactMap(Allowance.init),
      path: "a dir/Notes:2,%/contents", lines: ["": 2, "Note": 12, "Note.priority": 15])
  }

  @Test("what a rule of those that fail finds is a failure, unless it is allowed") func failures()
    throws
  {
    let lint = try Self.lint("lossy", warning: ["renames"])
    #expect(lint.failures.map(\.subject) == ["Note.done"])
    #expect(lint.findings.filter { $0.level == "warning" }.count == 3)
    let allowed = try Self.lint("lossy", allowing: ["attribute-removed = not shown since 2.0"])
    #expect(allowed.failures.isEmpty)
    #expect(allowed.findings.map(\.reason) == ["not shown since 2.0"])
    #expect(allowed.verdict == "0 errors, 0 warnings, 1 allowed.")
  }

  @Test("an allowance for one property is for no other, and one that is idle is named")
  func subjects() throws {
    let lint = try Self.lint(
      "lossy", allowing: ["attribute-removed:Note.title=a", "attribute-removed : Note.done = b=c"])
    #expect(lint.findings.map(\.reason) == ["b=c"])
    #expect(lint.unused.map(\.subject) == ["Note.title"])
  }

  @Test(
    "an allowance has a rule and a reason",
    arguments: ["", "order-lost", "order-lost=", "=why", "order-lost:=why", " = "])
  func incomplete(text: String) {
    #expect(Allowance(text) == nil)
  }

  @Test("what is gone is shown where its entity is, and else at the model's first line")
  func lines() throws {
    #expect(try Self.lint("attribute-removed").findings.map(\.line) == [12])
    #expect(try Self.lint("attribute-not-inferable").findings.map(\.line) == [15])
    #expect(try Self.lint("entity-renamed").findings.map(\.line) == [2])
  }

  @Test("annotations escape what GitHub's runner would read as its own") func annotations() throws {
    let lint = try Self.lint("attribute-removed", allowing: ["order-lost = 100 %"])
    #expect(
      lint.annotations == """
        ::error file=a dir/Notes%3A2%2C%25/contents,line=12,title=attribute-removed::Note.done: \
        the values are gone: Boolean, default NO
        ::warning file=a dir/Notes%3A2%2C%25/contents,title=unused allowance::order-lost is \
        allowed, and nothing was found that it allows
        """)
    let allowed = try Self.lint("attribute-removed", allowing: ["attribute-removed = 100 %"])
    #expect(allowed.annotations.hasPrefix("::notice "))
    #expect(allowed.annotations.hasSuffix("(allowed: 100 %25)"))
  }

  @Test("the document for programs has the findings and the idle allowances") func json() throws {
    let json = try Self.lint("lossy", allowing: ["order-lost = why"]).json
    #expect(json["failures"]?.integer == 1)
    #expect(json["findings"]?.array?.first?["rule"]?.string == "attribute-removed")
    #expect(json["unused"]?.array?.first?["reason"]?.string == "why")
  }

  @Test("what is found has what the schema of SARIF 2.1.0 requires") func sarif() throws {
    let lint = try Self.lint(
      "heavyweight", warning: ["lossy", "renames"], allowing: ["entity-renamed = decided"])
    let log = try JSONValue(reading: Array(lint.sarif.utf8))
    #expect(SARIFSchema.mistakes(in: log) == [])
    let results = try #require(log["runs"]?.array?.first?["results"]?.array)
    #expect(results.count == lint.findings.count && results.count > 4)
    let allowed = try #require(results.first { $0["ruleId"]?.string == "entity-renamed" })
    #expect(allowed["suppressions"]?.array?.first?["justification"]?.string == "decided")
    let place = results[0]["locations"]?.array?.first?["physicalLocation"]
    #expect(place?["artifactLocation"]?["uri"]?.string == "a%20dir/Notes%3A2,%25/contents")
  }

  @Test("what is allowed has a suppression of a kind and a status that the schema knows")
  func suppressions() throws {
    let text = try Self.lint("renames", allowing: ["entity-renamed = decided"]).sarif
    func mistakes(_ sound: String, _ broken: String) throws -> [String] {
      #expect(text.contains(sound))
      return SARIFSchema.mistakes(
        in: try JSONValue(reading: Array(text.replacing(sound, with: broken).utf8)))
    }
    #expect(try mistakes("external", "external") == [])
    #expect(try mistakes("\"external\"", "\"elsewhere\"") != [])
    #expect(try mistakes("\"accepted\"", "\"fine\"") != [])
    #expect(try mistakes("\"kind\": \"external\",", "") != [])
  }

  @Test(
    "a document that breaks the schema is refused",
    arguments: [
      ("\"version\": \"2.1.0\"", "\"version\": \"2.0\""), ("\"text\"", "\"txt\""),
      ("\"level\": \"error\"", "\"level\": \"fatal\""), ("\"startLine\": 15", "\"startLine\": 0"),
      ("\"driver\"", "\"engine\""), ("\"id\"", "\"identifier\""),
      ("\"ruleIndex\": 0", "\"ruleIndex\": 9"), ("\"ruleIndex\": 0", "\"ruleIndex\": \"0\""),
      ("\"startLine\"", "\"line\""), ("\"uri\": \"a%20dir", "\"uri\": \"a dir"),
      ("\"columnKind\": \"unicodeCodePoints\"", "\"columnKind\": \"bytes\""),
      ("\"fullyQualifiedName\": \"", "\"path\": \""), ("\"tags\": [", "\"tags\": [1, 1, "),
      ("\"subject/v1\": \"", "\"subject/v1\": 1, \"v2\": \""), ("\"results\"", "\"found\""),
    ])
  func broken(sound: String, broken: String) throws {
    let text = try Self.lint("attribute-not-inferable").sarif
    #expect(text.contains(sound))
    let log = try JSONValue(reading: Array(text.replacing(sound, with: broken).utf8))
    #expect(SARIFSchema.mistakes(in: log) != [])
  }
}
