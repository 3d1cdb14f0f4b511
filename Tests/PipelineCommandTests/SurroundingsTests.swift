import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The command where its streams are closed or full, and where the machine is small.
@Suite("What surrounds a command", .temporaryFolder)
struct SurroundingsTests {
  private static let run = "pipeline run notes.pipeline Notes.sqlite"

  /// A line of shell, in the folder of the Notes sample's models and store.
  private func shell(_ line: String) throws -> Tool.Outcome {
    try NotesSample.lay(in: TemporaryFolder.url)
    return try Tool.shell(line)
  }

  /// Whether a run has put its store in the old one's place, and nothing has written to it since.
  private func isMigrated() throws -> Bool {
    try Tool.shell("pipeline verify Notes.sqlite").status == 0
  }

  @Test(
    "a run outlives closed and full streams, with the status of its own",
    arguments: [
      ">&- 2>&-", "<&- >&- 2>&-", "> /dev/full 2> /dev/full", ">&- 2> errors", "2>&-",
      "--events /dev/full > out 2> errors",
    ])
  func lostStreams(streams: String) throws {
    let outcome = try shell("\(Self.run) \(streams); echo $?")
    #expect(outcome.output.hasSuffix("0\n"), "\(outcome)")
    #expect(try isMigrated())
    let errors = TemporaryFolder.url.appending(path: "errors")
    guard let text = try? String(contentsOf: errors, encoding: .utf8) else { return }
    #expect(text.contains("warning: cannot write"), "\(text)")
  }

  @Test(
    "a run outlives the readers of what it says",
    arguments: [">&3 2> errors", "> out 2>&3", ">&3 2>&3", "--events fifo > out 2> errors"])
  func readersThatGo(streams: String) throws {
    // The reader has the pipe open, and is gone before the first word.
    let outcome = try shell(
      "mkfifo fifo; head -c0 fifo & exec 3> fifo; wait; \(Self.run) \(streams); echo $?")
    #expect(outcome.output == "0\n", "\(outcome)")
    #expect(try isMigrated())
    let errors = TemporaryFolder.url.appending(path: "errors")
    guard let text = try? String(contentsOf: errors, encoding: .utf8) else { return }
    #expect(text.contains("warning: cannot write"), "\(text)")
  }

  @Test("what only prints ends quietly without a reader, and says that it did not end well")
  func readerOfResults() throws {
    let outcome = try shell(
      "mkfifo fifo; head -c0 fifo & exec 3> fifo; wait; pipeline inspect Notes.sqlite >&3; echo $?")
    #expect(outcome == Tool.Outcome(output: "141\n", errors: "", status: 0))
  }

  @Test("programs that are started have SIGPIPE as ever")
  func hooks() throws {
    let outcome = try shell(
      """
      sed 's/^stage "open".*/&\\nstage "hook" { command = { "sh", "hook.sh" } }/' notes.pipeline \
        > hooked.pipeline
      printf '%s\\n' 'kill -PIPE $$' 'exit 0' > hook.sh
      pipeline trust hooked.pipeline > trusted 2>&1 || cat trusted
      pipeline run hooked.pipeline Notes.sqlite
      """)
    #expect(outcome.errors.contains("ended by signal 13"), "\(outcome)")
  }

  @Test("too few descriptors are said to be too few, before anything is done", arguments: 4...16)
  func descriptors(count: Int) throws {
    let outcome = try shell("ulimit -n \(count); exec \(Self.run)")
    #expect(outcome.status == 4, "\(outcome)")
    #expect(outcome.errors.contains("48 more open files are needed"), "\(outcome)")
    #expect(try Tool.shell("ulimit -n \(count); exec pipeline --version").status == 0)
    #expect(try Tool.shell("ls").output.contains("Notes.sqlite.pipeline") == false)
  }

  @Test("enough descriptors are enough") func enoughDescriptors() throws {
    let outcome = try shell("ulimit -n 64; exec \(Self.run)")
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test(
    "too little address space is said to be too little",
    .disabled(if: Tool.isSanitized, "sanitizers take terabytes of it"),
    .enabled(if: Tool.says("ulimit -v 1000000"), "the system does not limit it"),
    arguments: [120_000, 140_000, 160_000, 180_000, 200_000])
  func memory(kilobytes: Int) throws {
    // Below what the loader needs for the libraries, nothing of the command is run.
    let limit = "ulimit -v \(kilobytes)"
    guard try shell("\(limit); exec pipeline --version").status == 0 else { return }
    let outcome = try Tool.shell("\(limit); exec \(Self.run)")
    #expect(outcome.status == 4, "\(outcome)")
    #expect(outcome.errors.contains("more address space are needed"), "\(outcome)")
  }

  @Test(
    "too few threads are said to be too few",
    .enabled(if: OtherUser.isThere, Comment(rawValue: OtherUser.need)),
    .enabled(if: Tool.isThere("prlimit"), "prlimit is missing"), arguments: [1, 3, 6])
  func threads(count: Int) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let outcome = try OtherUser.shell("exec prlimit --nproc=\(count) pipeline status Notes.sqlite")
    #expect(outcome.status == 4, "\(outcome)")
    #expect(outcome.errors.contains("8 more threads are needed"), "\(outcome)")
    let version = try OtherUser.shell("exec prlimit --nproc=\(count) pipeline --version")
    #expect(version.status == 0, "\(version)")
  }
}
