import StorePipeline
import Testing

@testable import pipeline

@Suite("Help")
struct HelpTests {
  @Test("a command's help has its sentence, usage, tables and examples in that order")
  func command() throws {
    let page = Help.page(try Program.probes.topic(["every"]), Style(isOn: false), 80)
    #expect(
      page == """
        Accept every kind of argument.

        Usage: probe every [options] SOURCE... TARGET

        Arguments:
          SOURCE...  What to read.
          TARGET     Where to write.

        Options:
          -o, --output PATH     Write here.
          -b, --batch ROWS      Rows held in memory at once.
              --set NAME=VALUE  Set a parameter. May be given again.
          -f, --form FORM       How to report. One of text, html, json.
          -n, --dry-run         Plan and check and say all that would be done, in order,
                                but write nothing.
          -a, --all             Do all of it.

        Common options:
              --json                Answer with one JSON document.
              --events FILE         Append what happens to FILE, one JSON object a line.
              --work DIR            Keep state, backups and rejects in DIR instead of
                                    next to the store.
              --longest-value SIZE  Take values up to SIZE into memory, as in '1 GB';
                                    100 MB unless given.
          -q, --quiet               Leave out notes and progress; errors stay.
              --color WHEN          Colour the text; auto asks the terminal and
                                    NO_COLOR. One of auto, always, never.
          -h, --help                Show this help.

        Examples:
          # Give the least
          probe every a b

        Nothing is done with them.
        """)
  }

  @Test("a group's help lists its commands") func group() throws {
    let page = Help.page(try Program.probes.topic(["pair"]), Style(isOn: false), 80)
    #expect(page.hasPrefix("Compare two things.\n\nUsage: probe pair COMMAND [options]\n"))
    #expect(page.contains("\nCommands:\n  diff  Say how two things differ.\n  hash  Say"))
  }

  @Test("the program's help lists commands by purpose, in one column") func program() {
    let page = Help.page(Program.probes.top, Style(isOn: false), 80)
    #expect(page.contains("\nTry:\n  every   Accept every kind of argument.\n  wait    Wait"))
    #expect(page.contains("\nCompare:\n  pair    Compare two things.\n"))
    #expect(page.contains("      --version     Show the versions"))
  }

  @Test("headings are bold when styled, and nothing else changes") func styled() throws {
    let topic = try Program.probes.topic(["every"])
    let page = Help.page(topic, Style(isOn: true), 80)
    #expect(page.contains("\u{1B}[1mOptions:\u{1B}[0m\n"))
    let plain = page.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
    #expect(plain == Help.page(topic, Style(isOn: false), 80))
  }

  @Test("lines fit the width, 80 columns at most", arguments: [(50, 50), (80, 80), (200, 80)])
  func width(asked: Int, given: Int) throws {
    let page = Help.page(try Program.probes.topic(["every"]), Style(isOn: false), asked)
    let longest = page.split(separator: "\n").map(\.count).max() ?? 0
    #expect(longest <= given && longest > given - 12)
  }
}
