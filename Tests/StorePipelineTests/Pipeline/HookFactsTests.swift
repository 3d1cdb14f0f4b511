import Testing

@testable import StorePipeline

@Suite("What a program learns")
struct HookFactsTests {
  private let facts = HookFacts(["status": "1", "store": "/data/a b.sqlite"])

  @Test(
    "names in an argument are replaced, and stay one argument",
    arguments: [
      ("${status}", "1"), ("of ${store}: ${status}!", "of /data/a b.sqlite: 1!"),
      ("${backup}", ""), ("$status ${", "$status ${"),
    ])
  func fill(argument: String, filled: String) {
    #expect(facts.fill(argument) == filled)
  }

  @Test("all facts are in the environment, with what was there")
  func environment() {
    let environment = facts.environment(besides: ["PATH": "/bin", "PIPELINE_STATUS": "old"])
    #expect(environment["PATH"] == "/bin")
    #expect(environment["PIPELINE_STATUS"] == "1")
    #expect(environment["PIPELINE_NEW_STORE"] == "")
    #expect(environment.count == HookFacts.names.count + 1)
  }

  @Test("a name that is no fact is reported with the nearest one")
  func mistakes() {
    #expect(HookFacts.mistake(in: "${status} ${store}") == nil)
    #expect(
      HookFacts.mistake(in: "${staus}") == "there is no '${staus}'; did you mean '${status}'?")
    #expect(
      HookFacts.mistake(in: "${x}")?.hasPrefix("there is no '${x}'; there are ${run}") == true)
  }
}
