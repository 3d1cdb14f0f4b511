import Testing

@testable import pipeline

@Suite("Request")
struct RequestTests {
  @Test(
    "commands run, nested ones and with options in front",
    arguments: [
      (["pair", "diff", "a"], "a - false\n"),
      (["pair", "diff", "a", "b", "--json"], "a b true\n"),
      (["--json", "pair", "--quiet", "diff", "a"], "a - true\n"),
      (["--color", "never", "pair", "diff", "a"], "a - false\n"),
      (["--", "pair", "diff", "--", "-a"], "-a - false\n"),
    ])
  func runs(words: [String], output: String) async {
    #expect(await Program.probes.say(words) == Said(output: output))
  }

  @Test(
    "a mistake is two lines and status 2",
    arguments: [
      (["evry"], "probe", "unknown command evry; did you mean every?"),
      (["nothing"], "probe", "unknown command nothing"),
      ([""], "probe", "unknown command ''"),
      (["--jsno", "every"], "probe", "unknown option --jsno; did you mean --json?"),
      (["--json", "wait"], "probe wait", "unknown option --json"),
      (["pair", "dif"], "probe pair", "unknown command dif; did you mean diff?"),
      (["pair", "--what"], "probe pair", "unknown option --what"),
      (["pair", "diff"], "probe pair diff", "missing A"),
      (["refuse", "usage"], "probe refuse", "--a and --b do not go together"),
      (["--events"], "probe", "--events needs a value: FILE"),
    ])
  func mistakes(words: [String], place: String, message: String) async {
    let text = "\(place): \(message)\nTry '\(place) --help'.\n"
    #expect(await Program.probes.say(words) == Said(errors: text, status: .misuse))
  }

  @Test(
    "without a command, the commands are listed on stderr with status 2",
    arguments: [[], ["--quiet"], ["pair"]])
  func nothing(words: [String]) async {
    let said = await Program.probes.say(words)
    let help = await Program.probes.say(words + ["--help"])
    #expect(said == Said(errors: help.output, status: .misuse))
    #expect(help.status == .done && help.errors.isEmpty && help.output.contains("Usage: probe"))
  }

  @Test(
    "a first word that is a command itself runs where none of those behind it is named",
    arguments: [
      (["sample"], "sample", []), (["--json", "sample"], "sample", ["--json"]),
      (["sample", "notes", "from"], "sample", ["notes", "from"]),
      (["sample", "--size", "small", "notes", "d"], "sample", ["--size", "small", "notes", "d"]),
      (["sample", "from", "a", "-o", "b"], "sample from", ["a", "-o", "b"]),
      (["sample", "--json", "from", "a"], "sample from", ["--json", "a"]),
    ])
  func ownCommands(words: [String], place: String, rest: [String]) throws {
    guard case .command(_, let topic, let left) = try Program.pipeline.request(words) else {
      Issue.record("\(words) runs no command")
      return
    }
    #expect(topic.words == "pipeline \(place)" && left == rest)
  }

  @Test("its help has its own arguments and the commands behind it") func ownHelp() async {
    let said = await Program.pipeline.say(["sample", "--help"])
    #expect(said.output.contains("--size SIZE"))
    #expect(said.output.contains("pipeline sample from"))
    #expect(await Program.pipeline.say(["help", "sample"]) == said)
  }

  @Test(
    "help is asked for in several ways, mistakes or not",
    arguments: [
      ["pair", "diff", "-h"], ["pair", "--help", "diff"], ["-h", "pair", "diff"],
      ["pair", "diff", "--wrong", "--help"], ["pair", "diff", "-qh", "a"],
    ])
  func help(words: [String]) async {
    let said = await Program.probes.say(words)
    #expect(said.status == .done && said.errors.isEmpty)
    #expect(said.output.contains("Usage: probe pair diff [options] A [B]\n"))
  }

  @Test("what follows two dashes is no option") func dashes() async {
    #expect(
      await Program.probes.say(["pair", "diff", "--", "--help"]).output == "--help - false\n")
  }

  @Test("colour is obeyed by help and by the list") func color() async {
    let coloured = await Program.probes.say(["every", "--help", "--color", "always"])
    #expect(coloured.output.contains("\u{1B}[1mUsage:\u{1B}[0m"))
    let plain = await Program.probes.say(["every", "--help", "--color", "never"])
    #expect(!plain.output.contains("\u{1B}"))
  }

  @Test("the versions are shown") func version() async {
    let said = await Program.probes.say(["--version"])
    #expect(said == Said(output: Version.text + "\n"))
  }
}
