import CoreDataStore
import Foundation
import TestSupport
import Testing

@testable import StorePipeline
@testable import StorePrograms

@Suite("A program that is started", .temporaryFolder)
struct SystemProgramsTests {
  /// A run of a shell script next to the pipeline file, with the words behind its name.
  private static func program(
    _ script: String, _ words: [String] = [], time: String = "20 s", facts: [String: String] = [:]
  ) throws -> ProgramCall {
    let path = TemporaryFolder.url.appending(path: "program").path
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let list = (["./program"] + words).map { "[==[\($0)]==]" }.joined(separator: ", ")
    let text = """
      pipeline "P" { format = 1, models = "M.xcdatamodeld" }
      stage "hook" { command = { \(list) }, time = "\(time)" }
      stage "copy" {}
      """
    let file = TemporaryFolder.url.appending(path: "p.pipeline").path
    let pipeline = try PipelineFile(text, path: file).pipeline(checksFiles: false)
    let hook = try #require(StageRegistry.standard.declarations(of: pipeline).hooks.first)
    return ProgramCall(
      try HookCommand(hook, of: pipeline, environment: [:]), HookFacts(facts),
      environment: ["PATH": "/usr/bin:/bin"])
  }

  private static func lines(
    _ program: ProgramCall, stops: () -> Bool = { false }
  ) throws -> [String] {
    var lines: [String] = []
    try SystemPrograms().run(program, stops: stops) { lines.append($0) }
    return lines
  }

  @Test("it gets its words as they are, the facts, and the file's folder; no shell reads them")
  func words() throws {
    let words = ["a b", "$HOME;*", "${store}"]
    let program = try Self.program(
      #"for word in "$@"; do echo "<$word>"; done; echo "$PIPELINE_STORE"; read x; echo $?; "#
        + "test . -ef '\(TemporaryFolder.url.path)' && echo here",
      words, facts: ["store": "S"])
    #expect(
      try Self.lines(program) == ["<a b>", "<$HOME;*>", "<S>", "S", "1", "here"])
  }

  @Test("what it prints on either stream is handed on, the last line without an end, too")
  func output() throws {
    let program = try Self.program("echo one; echo two >&2; printf three")
    #expect(try Self.lines(program).sorted() == ["one", "three", "two"])
  }

  @Test("of endless output the beginning is kept, and the program is not stopped by it")
  func muchOutput() throws {
    let program = try Self.program("head -c 1000000 /dev/zero | tr '\\0' 'a'; echo; echo end")
    let lines = try Self.lines(program)
    #expect(lines.reduce(0) { $0 + $1.utf8.count } == 64 << 10)
  }

  @Test("a program that ends with another status than 0, or by a signal, has failed")
  func failures() throws {
    for (script, why) in [
      ("exit 7", "It ended with status 7."), ("kill -9 $$", "It was ended by signal 9."),
    ] {
      let failure = #expect(throws: Failure.self) {
        _ = try Self.lines(Self.program(script))
      }
      #expect(failure?.why == why)
    }
  }

  @Test("one that takes too long is stopped, even when it does not want to")
  func late() throws {
    let program = try Self.program(
      "trap '' TERM; echo on; while :; do sleep 0.1; done", time: "1 s")
    var lines: [String] = []
    let failure = #expect(throws: Failure.self) {
      try SystemPrograms().run(program, stops: { false }) { lines.append($0) }
    }
    #expect(failure?.why == "It took longer than 1 s.")
    #expect(lines == ["on"])
  }

  @Test("one that somebody wants to stop is stopped")
  func stopped() throws {
    let program = try Self.program("exec sleep 600")
    #expect(throws: CancellationError.self) { _ = try Self.lines(program, stops: { true }) }
  }

  @Test("what it leaves behind does not keep the run")
  func daemon() throws {
    // If the run waited for the process left behind, the program would be late, which is a failure.
    let lines = try Self.lines(Self.program("sleep 300 & echo \"$!\"", time: "60 s"))
    #expect(lines.count == 1)
    // While it is there Foundation does not reap the program, and exit tests wait for that.
    if let left = lines.first.flatMap(Int32.init) { kill(left, SIGKILL) }
  }

  @Test("a program that takes too long ends with all that it has started, and no reader is needed")
  func lateChildren() throws {
    let program = try Self.program(
      "head -c 100000000 /dev/zero | tr '\\0' a & echo $! > child; sleep 300", time: "1 s")
    let failure = #expect(throws: Failure.self) { _ = try Self.lines(program) }
    #expect(failure?.why == "It took longer than 1 s.")
    let path = TemporaryFolder.url.appending(path: "child").path
    let child = try #require(
      Int32(try String(contentsOfFile: path, encoding: .utf8).dropLast()))
    // It is there until somebody has asked how it ended.
    for _ in 0..<1000 where kill(child, 0) == 0 { usleep(10_000) }
    #expect(kill(child, 0) != 0)
  }

  @Test("a file that no system can execute is a failure")
  func noProgram() throws {
    let program = try Self.program("")
    try Data([0, 1, 2, 3]).write(to: URL(filePath: program.program))
    let failure = #expect(throws: Failure.self) { _ = try Self.lines(program) }
    #expect(failure?.why.hasPrefix("It could not be started") == true)
  }
}
