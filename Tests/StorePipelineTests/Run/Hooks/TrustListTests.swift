import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("What a user trusts", .temporaryFolder)
struct TrustListTests {
  private static func path(_ name: String) -> String {
    TemporaryFolder.url.appending(path: name).path
  }

  /// The trust in a pipeline that starts a script next to it, which is written first.
  private static func trust(
    _ script: String = "#!/bin/sh\n", in file: String = "a.pipeline", argument: String = "now"
  ) throws -> HookTrust {
    let path = Self.path("tell")
    try Data(script.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let text = """
      pipeline "P" { format = 1, models = "M.xcdatamodeld" }
      stage "hook" { command = { "./tell", "\(argument)" } }
      stage "copy" {}
      """
    let pipeline = try PipelineFile(text, path: Self.path(file)).pipeline(checksFiles: false)
    return try #require(try HookTrust(pipeline, environment: [:]))
  }

  @Test("what was trusted is found again, and nothing else")
  func found() throws {
    let list = TrustList(path: Self.path("new/trusted.json"))
    let trust = try Self.trust()
    #expect(try !list.has(trust))
    try list.add(trust)
    #expect(try list.has(trust))
    #expect(try list.entries() == [trust])
    #expect(try !list.has(Self.trust("#!/bin/sh\nrm -r .\n")))
    #expect(try !list.has(Self.trust(argument: "later")))
    #expect(try list.has(Self.trust()))
  }

  @Test("what has changed is known by its path; an older list does not say")
  func changes() throws {
    let list = TrustList(path: Self.path("trusted.json"))
    let trust = try Self.trust(argument: "note")
    try list.add(trust)
    let kept = try #require(try list.entries().first)
    #expect(try Self.trust(argument: "note").changes(since: kept) == [])
    try Data("x".utf8).write(to: URL(filePath: Self.path("note")))
    let changed = try Self.trust("#!/bin/sh\ntrue\n", argument: "note")
    #expect(changed.changes(since: kept) == [Self.path("note"), Self.path("tell")])
    let text = try String(contentsOfFile: list.path, encoding: .utf8)
    try Data(text.replacing("\"files\"", with: "\"other\"").utf8)
      .write(to: URL(filePath: list.path))
    #expect(try changed.changes(since: #require(try list.entries().first)) == [])
  }

  @Test("a file that is trusted again is there once; it can be taken out")
  func again() throws {
    let list = TrustList(path: Self.path("trusted.json"))
    try list.add(Self.trust())
    try list.add(Self.trust(in: "b.pipeline"))
    try list.add(Self.trust(argument: "later"))
    #expect(try list.entries().map(\.file) == [Self.path("b.pipeline"), Self.path("a.pipeline")])
    #expect(try !list.has(Self.trust()))
    #expect(try list.take(file: Self.path("a.pipeline")))
    #expect(try !list.take(file: Self.path("a.pipeline")))
    #expect(try list.entries().count == 1)
  }

  @Test(
    "a list that is no list of ours is an error, and is not written over",
    arguments: ["", "{}", "{ \"format\": 2, \"trusted\": [] }", "[1"])
  func damaged(text: String) throws {
    let list = TrustList(path: Self.path("trusted.json"))
    try Data(text.utf8).write(to: URL(filePath: list.path))
    #expect(throws: Failure.self) { try list.has(Self.trust()) }
    #expect(throws: Failure.self) { try list.add(Self.trust()) }
    #expect(try String(contentsOfFile: list.path, encoding: .utf8) == text)
  }

  @Test("it is where the system keeps such files, and only an absolute path is taken for that")
  func place() {
    let here = TrustList(environment: ["XDG_CONFIG_HOME": "/settings", "HOME": "/me"])
    #expect(here.path == "/settings/pipeline/trusted.json")
    let relative = TrustList(environment: ["XDG_CONFIG_HOME": "settings", "HOME": "/me"])
    #expect(relative.path.hasPrefix("/me/"))
    #expect(relative.path.hasSuffix("/pipeline/trusted.json"))
  }

  @Test("a missing program is reported with the line, and a pipeline without any needs no trust")
  func missing() throws {
    let header = "pipeline \"P\" { format = 1, models = \"M.xcdatamodeld\" }\n"
    for (word, why) in [
      ("./no", "\(Self.path("no")) is not there."),
      ("no-such-program", "No folder of PATH has it."),
    ] {
      let text = header + "stage \"hook\" { command = \"\(word)\" } stage \"copy\" {}"
      let pipeline = try PipelineFile(text, path: Self.path("p")).pipeline(checksFiles: false)
      let failure = #expect(throws: Failure.self) {
        try HookTrust(pipeline, environment: ["PATH": "/usr/bin:relative:"])
      }
      #expect(failure?.why == why)
      #expect(failure?.remedy == "Correct the name in the stage hook, line 2.")
    }
    let none = PipelineFile(header + "stage \"copy\" {}", path: Self.path("p"))
    #expect(try HookTrust(none.pipeline(checksFiles: false), environment: [:]) == nil)
  }
}
