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

  @Test("the page that shows it has the commands that it shows") func page() throws {
    let page = ManyStoresPageTests.project.appending(
      path: "Sources/StorePipeline/StorePipeline.docc/Demonstration.md")
    let shown = Self.commands(in: try String(contentsOf: page, encoding: .utf8))
    #expect(shown.count > 10)
    let said = try Tool.shell("'\(Self.script)' shown small")
    #expect(Self.commands(in: said.output).map { $0.replacing(/small/, with: "normal") } == shown)
  }

  /// The lines that are typed, without the name that a backup has of its run.
  private static func commands(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("$ ") }
      .map { String($0).replacing(/backups\/[^\/]*/, with: "backups") }
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
