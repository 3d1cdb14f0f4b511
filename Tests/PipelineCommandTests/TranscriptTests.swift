import Foundation
import TestSupport
import Testing

/// Runs the commands of Transcripts/*.md; see `Transcript` for how they are written.
@Suite("Transcripts", .temporaryFolder)
struct TranscriptTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Transcripts")

  static let files =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".md") }.sorted()

  @Test("what the commands print is what is written", arguments: files)
  func transcript(file: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    let transcript = Transcript(text)
    #expect(!transcript.steps.isEmpty)
    for failure in try transcript.failures(in: TemporaryFolder.url) {
      Issue.record("\(file) is not what happens:\n\(failure)")
    }
  }

  @Test("what the README shows is what happens") func readme() throws {
    let text = try String(
      contentsOf: Self.folder.appending(path: "../../../README.md"), encoding: .utf8)
    let transcript = Transcript(text)
    #expect(!transcript.steps.isEmpty)
    for failure in try transcript.failures(in: TemporaryFolder.url) {
      Issue.record("README.md is not what happens:\n\(failure)")
    }
  }

  @Test("what the page of getting started shows is what happens") func start() throws {
    let page = "../../../Sources/StorePipeline/StorePipeline.docc/GettingStarted.md"
    let text = try String(contentsOf: Self.folder.appending(path: page), encoding: .utf8)
    let transcript = Transcript(text)
    #expect(transcript.steps.count > 8)
    for failure in try transcript.failures(in: TemporaryFolder.url) {
      Issue.record("GettingStarted.md is not what happens:\n\(failure)")
    }
  }

  @Test("a new user's walk ends at a verified store after twenty-five commands at most")
  func walk() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "walk.md"), encoding: .utf8)
    let transcript = Transcript(text)
    #expect(transcript.samples.isEmpty)
    #expect((10...25).contains(transcript.steps.count))
    let verified = try #require(transcript.steps.first { $0.command.contains("verify") })
    #expect(verified.expected == ["  \"same\": true,"])
  }

  @Test("forty mistakes of a beginner and more are shown, each refused with a message")
  func beginners() throws {
    let page = Self.folder.appending(path: "beginners.md")
    let steps = Transcript(try String(contentsOf: page, encoding: .utf8)).steps
    let refused = steps.filter { ["=> 2", "=> 3"].contains($0.expected.last { !$0.isEmpty }) }
    #expect(refused.count >= 40)
    #expect(refused.allSatisfy { $0.expected.count > 1 })
  }

  @Test("there are transcripts") func some() {
    #expect(Self.files.contains("mistakes.md"))
  }

  private static let example = """
    ```console
    $ echo one; echo two >&2; echo; exit 3
    2> two
    one

    => 3
    $ echo it took 17 ms
    it took <ANY> ms
    ```
    """

  @Test("a true transcript passes") func truth() throws {
    #expect(try Transcript(Self.example).failures(in: TemporaryFolder.url) == [])
  }

  @Test(
    "a transcript that was altered fails",
    arguments: [
      ("one\n\n=>", "won\n\n=>"), ("2> two", "2> too"), ("2> two", "two"), ("=> 3", "=> 4"),
      ("=> 3\n", ""), ("2> two\n", ""), ("\n\n=>", "\n=>"), ("<ANY> ms", "<ANY> s"),
      ("it took <ANY>", "it took no <ANY>"), ("ms\n```", "ms\nmore\n```"),
    ])
  func lie(true: String, altered: String) throws {
    let text = Self.example.replacingOccurrences(of: `true`, with: altered)
    #expect(text != Self.example)
    #expect(try Transcript(text).failures(in: TemporaryFolder.url).count == 1)
  }

  @Test("cd alone moves the commands below it, and only where it succeeds") func moved() throws {
    let text = """
      ```console
      $ mkdir -p one/two
      $ cd one
      $ cd two && pwd | sed 's|.*/||'
      two
      $ cd none 2> why
      => <ANY>
      $ ls
      two
      why
      $ cd ..
      $ ls
      one
      ```
      """
    #expect(try Transcript(text).failures(in: TemporaryFolder.url) == [])
  }

  @Test("three dots stand for the rest, and for nothing that is different before it")
  func rest() throws {
    func failures(_ lines: String) throws -> [String] {
      try Transcript("```console\n$ printf 'one\\ntwo\\nthree\\n'\n\(lines)\n...\n```\n")
        .failures(in: TemporaryFolder.url)
    }
    #expect(try failures("one") == [])
    #expect(try failures("one\ntwo\nthree") == [])
    #expect(try failures("two").count == 1)
    #expect(try failures("one\ntwo\nthree\nfour").count == 1)
  }

  @Test("commands of a file share a folder") func shared() throws {
    let text = "```console\n$ echo x > file\n```\n```console\n$ cat file\nx\n```\n"
    #expect(try Transcript(text).failures(in: TemporaryFolder.url) == [])
  }
}
