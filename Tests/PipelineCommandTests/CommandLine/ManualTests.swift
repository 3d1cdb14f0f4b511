import Foundation
import TestSupport
import Testing

@testable import pipeline

@Suite("Manual page", .temporaryFolder)
struct ManualTests {
  static let pages = [
    Manual.page(for: .pipeline, version: Version.number, date: Version.date),
    Manual.page(for: .probes, version: "1.0.0", date: "January 1, 2026"),
  ]

  @Test(
    "roff has nothing to say against it",
    .enabled(if: Tool.isThere("groff"), "groff is not installed"), arguments: pages)
  func groff(page: String) throws {
    try write(page)
    let outcome = try Tool.shell("groff -mandoc -ww -Tascii page.1")
    #expect(outcome.errors == "" && outcome.status == 0)
    #expect(outcome.output.contains("EXIT STATUS") || outcome.output.contains("E\u{8}EX\u{8}X"))
  }

  @Test(
    "man has nothing to say against it",
    .enabled(if: Tool.isThere("groff") && Tool.isThere("man"), "man or groff is not installed"),
    arguments: pages)
  func man(page: String) throws {
    try write(page)
    let outcome = try Tool.shell("man -l - < page.1")
    #expect(outcome.errors == "" && outcome.status == 0)
    #expect(outcome.output.contains("EXIT STATUS"))
  }

  @Test(
    "mandoc finds no mistake in it",
    .enabled(if: Tool.isThere("mandoc"), "mandoc is not installed"), arguments: pages)
  func mandoc(page: String) throws {
    try write(page)
    #expect(try Tool.shell("mandoc -T lint -W warning page.1").output == "")
  }

  @Test("a broken page would be noticed", .enabled(if: Tool.isThere("groff"), "groff is missing"))
  func broken() throws {
    try write(Self.pages[1] + "\n.Nonsense\n")
    #expect(try Tool.shell("groff -mandoc -ww -Tascii page.1").errors != "")
  }

  @Test("it names every command, option and status") func complete() {
    let page = Self.pages[1]
    for command in Program.probes.commands {
      #expect(page.contains("\n.Ss probe \(command.path.joined(separator: " "))\n"))
    }
    #expect(page.contains("\n.It Fl o , Fl \\-output Ar PATH\nWrite here.\n"))
    #expect(page.contains("\n.It Ar SOURCE...\nWhat to read.\n"))
    for status in Status.allCases { #expect(page.contains("\n.It \(status.rawValue)\n")) }
  }

  private func write(_ page: String) throws {
    try Data((page + "\n").utf8).write(to: TemporaryFolder.url.appending(path: "page.1"))
  }
}
