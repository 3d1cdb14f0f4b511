import Foundation
import TestSupport
import Testing

/// The demonstration, with the program under test and a small store.
@Suite("The demonstration", .temporaryFolder)
struct DemoTests {
  private static let script = ManyStoresPageTests.project.appending(path: ".ci/demo").path

  @Test("it goes through from the first step to the way back") func all() throws {
    let said = try Tool.shell("'\(Self.script)' shown small")
    #expect(said.status == 0, "\(said.errors)")
    let steps = said.output.components(separatedBy: "\n$ ").dropFirst()
    for command in ["sample", "plan", "run", "status", "resume", "verify", "diff", "rollback"] {
      #expect(steps.contains { $0.hasPrefix("pipeline \(command) ") }, "\(command)")
    }
    #expect(said.output.contains("Everything of this demonstration is in "))
    let version = try Tool.shell(
      """
      cd shown/van && pipeline inspect MovingVan.sqlite --models MovingVan.xcdatamodeld \
        | grep ^version
      """
    )
    #expect(version.output.contains("MovingVan,"))
  }

  @Test(
    "the page shows what it prints",
    .enabled(
      if: Tool.says("pipeline --version | grep -q libvips"), "built without the trait Images"))
  func page() throws {
    let page = ManyStoresPageTests.project.appending(
      path: "Sources/StorePipeline/StorePipeline.docc/Demonstration.md")
    let block = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```text\n")
    let shown = Self.parts(try #require(block.last).replacing("\n```", with: ""))
    let said = try Tool.shell("'\(Self.script)' .build/demo small 2>&1")
    // Links are resolved in the names of stores.
    let folder = try Tool.shell("pwd -P").output.replacing("\n", with: "/")
    let printed = Self.parts(said.output.replacing(folder, with: ""))
    #expect(shown.count == printed.count && shown.count > 10)
    for (one, other) in zip(shown, printed) {
      // Where the kill meets the run is another place each time.
      let isKilled = one.hasPrefix("It runs, and is killed")
      #expect(isKilled ? one.prefix(60) == other.prefix(60) : one == other)
    }
  }

  /// What is printed, heading by heading, without what is another each time: names and times of
  /// runs, speed and memory, free space, where lines end, and the bytes that a library makes of a
  /// picture.
  private static func parts(_ text: String) -> [String] {
    text.replacing(TemporaryFolder.url.path + "/", with: "")
      .replacing(/[0-9a-f]{8}-\d{8}T\d{6}Z|\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-f]{8}/, with: "RUN")
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
      .replacing(/\d+:\d\d \(\d+ a second\)/, with: "SPEED")
      .replacing(/[\d,.]+ [kMG]?B\b/, with: "SIZE").replacing(/#[0-9a-f]{8}/, with: "DIGEST")
      .components(separatedBy: "\n# ")
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  @Test("what is missing is said, with the way to go on")
  func missing() throws {
    let folder = try Tool.shell("mkdir shown && '\(Self.script)' shown small")
    #expect(folder.status == 4)
    #expect(folder.errors.contains("is there already"))
    let program = try Tool.shell("PATH=/usr/bin:/bin '\(Self.script)' other small")
    #expect(program.status == 4)
    #expect(program.errors.contains("make demo"))
    let size = try Tool.shell("'\(Self.script)' other huge")
    #expect(size.status == 2)
  }

  @Test("without space it is not begun") func space() throws {
    let said = try Tool.shell(
      """
      mkdir bin && printf '#!/bin/sh\\necho head; echo "disk 9 9 1000 99 /"\\n' > bin/df
      chmod +x bin/df && PATH="$PWD/bin:$PATH" '\(Self.script)' shown normal
      """)
    #expect(said.status == 4)
    #expect(said.errors.contains("SIZE=small"))
    #expect(!FileManager.default.fileExists(atPath: TemporaryFolder.url.path + "/shown"))
  }
}
