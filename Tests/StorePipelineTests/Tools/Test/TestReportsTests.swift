import Formats
import StorePipeline
import Testing

@Suite("Reports of tests")
struct TestReportsTests {
  private static let summary = TestSummary(
    results: [
      .init(
        file: "a_test.lua", line: 3, name: "it # holds", kind: "case", failure: [], seconds: 0.25),
      .init(
        file: "a_test.lua", line: 9, name: "<b>", kind: "case",
        failure: ["Note 1, title", "  expected  \"a & b\"", "  got       \"\u{7}\""], seconds: 1),
    ], problems: [Problem(file: "b_test.lua", line: 2, message: "unknown name 'cas'")])

  @Test("for people: failures in full, then how many there were")
  func text() {
    #expect(
      TextTestReport(Self.summary).text == """
        ok    a_test.lua:3: it # holds
        FAIL  a_test.lua:9: <b>
                Note 1, title
                  expected  "a & b"
                  got       "\\u{07}"
        1 passed, 1 failed
        """)
  }

  @Test("TAP: a plan, a line for each, and a block for what failed")
  func tap() {
    #expect(
      TAPTestReport(Self.summary).text == """
        TAP version 14
        1..3
        ok 1 - a_test.lua:3: it \\# holds
        not ok 2 - a_test.lua:9: <b>
          ---
          message: |
            Note 1, title
              expected  "a & b"
              got       "\\u{07}"
          ...
        not ok 3 - b_test.lua loads
          ---
          message: |
            b_test.lua:2: unknown name 'cas'
          ...
        """)
  }

  @Test("JUnit: XML that a reader of XML takes")
  func junit() throws {
    let tree = try XMLTree(Array(JUnitTestReport(Self.summary).text.utf8))
    #expect(tree.root["tests"] == "2")
    #expect(tree.root["failures"] == "1")
    #expect(tree.root["errors"] == "1")
    #expect(tree.root["time"] == "1.250")
    let suites = tree.root.children("testsuite")
    #expect(suites.map { $0["name"] } == ["a_test.lua", "b_test.lua"])
    let cases = suites[0].children("testcase")
    #expect(cases.map { $0["name"] } == ["it # holds", "<b>"])
    #expect(cases[1].children("failure").first?.text.contains("\"a & b\"") == true)
    #expect(suites[1].children("testcase")[0].children("error").count == 1)
  }

  @Test("JSON: every test, and what does not load")
  func json() throws {
    let json = try JSONValue(reading: Array(JSONTestReport(Self.summary).text.utf8))
    #expect(json["format"]?.integer == 1)
    #expect(json["passed"]?.integer == 1 && json["failed"]?.integer == 1)
    #expect(json["tests"]?.array?.count == 2)
    #expect(json["tests"]?.array?.last?["failure"]?.array?.count == 3)
    #expect(json["problems"]?.array?.first?["line"]?.integer == 2)
  }

  @Test("the status tells files that do not load from tests that fail")
  func status() {
    #expect(Self.summary.status == 2)
    #expect(TestSummary(results: Self.summary.results, problems: []).status == 1)
    #expect(TestSummary(results: [Self.summary.results[0]], problems: []).status == 0)
  }
}
