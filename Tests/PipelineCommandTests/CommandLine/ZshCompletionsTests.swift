import Testing

@testable import pipeline

@Suite("Completions for zsh")
struct ZshCompletionsTests {
  /// A command whose texts have all that is special in a specification of `_arguments`.
  private struct Odd: Command {
    static let name = "odd"
    static let summary = "Say: it's odd."
    static let examples = [Example("Be odd", "probe odd")]
    static let arguments: [Argument<Self>] = [
      .option("at", value: "A:B", \.at, "Begin [there]: it's fast."),
      .optional("folder", \.folder, "Where.", takes: .folder),
    ]

    var at: String?
    var folder: String?

    func run(_ context: Context) -> Status { .done }
  }

  @Test(
    "an argument is a specification of _arguments",
    arguments: [
      #"'(-o --output)'{-o+,--output=}'[Write here.]:PATH:_files'"#,
      #"'*--set=[Set a parameter.]:NAME=VALUE: '"#, #"'(-a --all)'{-a,--all}'[Do all of it.]'"#,
      #"'(-f --form)'{-f+,--form=}'[How to report.]:FORM:(text html json)'"#,
      #"'*:SOURCE:_files'"#, #"'2:TARGET:_files -/'"#, #"'2::B: '"#,
      #"'1:WAY:(no usage busy several unknown cancelled)'"#,
    ])
  func specification(text: String) {
    #expect(ZshCompletions(program: .probes).script.contains(" \\\n    \(text)"))
  }

  @Test("brackets, colons and quotes in a text end nothing") func escaped() {
    let program = Program(
      name: "probe", summary: "", sections: [Program.Section("Try", [.command(Odd.self)])])
    let script = ZshCompletions(program: program).script
    #expect(script.contains(#"'--at=[Begin \[there\]\: it'\''s fast.]:A\:B: '"#))
    #expect(script.contains(#"'odd:Say: it'\''s odd.'"#))
  }

  @Test("each place is a function that leads to those of its commands") func places() {
    let script = ZshCompletions(program: .probes).script
    #expect(script.hasPrefix("#compdef probe\n"))
    for place in CompletionPlace.all(of: .probes) {
      let name = (["_probe"] + place.path).joined(separator: "_")
      #expect(script.contains("\n\(name)() {\n"))
    }
    #expect(script.contains("        diff) _probe_pair_diff ;;\n"))
  }
}
