import Testing

@testable import pipeline

@Suite("pipeline manual")
struct ManualCommandTests {
  @Test("it prints the page of the program that runs it, dated as its version is") func page()
    async
  {
    let said = await Program.pipeline.say(["manual"])
    #expect(said.output.hasPrefix(".Dd \(Version.date)\n.Dt PIPELINE 1\n"))
    #expect(said.output.contains("\n.Ss pipeline model hash\n") && said.errors == "")
  }

  @Test("it takes no words") func words() async {
    let said = await Program.pipeline.say(["manual", "inspect"])
    #expect(said.status == .misuse && said.errors.contains("unexpected argument 'inspect'"))
  }
}
