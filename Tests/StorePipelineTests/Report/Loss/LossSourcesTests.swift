import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Who says that something may go", .temporaryFolder)
struct LossSourcesTests {
  private static func text(_ name: String, _ type: String = "String") -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
  }

  /// The line of a property in the report of a dry run.
  private func line(
    _ property: String, _ after: String, copy: String, accepted: [String] = [],
    script: String? = nil
  ) async throws -> String? {
    let before = "<entity name=\"A\">\(Self.text("t"))\(Self.text("d", "Double"))</entity>"
    let folder = try PlanFolder.models([before, after])
    if let script { try folder.write(script, to: "s.lua") }
    let library = try ModelLibrary([folder.path("App.xcdatamodeld")])
    try SampleStore.make(
      of: library.model(named: "App"), at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT, ZD) VALUES (1, 1, 1, 'a', 0.1), (2, 1, 1, 'b', 2)
        """)
    let text = PlanFolder.appText(
      copy + (script == nil ? "" : " stage \"transform\" { entity = \"A\", script = \"s.lua\" }"))
    let plan = try folder.plan(
      text, store: "App.sqlite", PlanSettings(acceptedLosses: accepted))
    var options = RunOptions()
    options.dryRun = DryRun()
    let findings = try await Run(plan, store: folder.path("App.sqlite"), options: options)
      .findings()
    return findings.report?.losses?.lines.first { $0.loss.property == property }?.words
      .replacing(folder.url.path + "/", with: "")
  }

  private static let without = "<entity name=\"A\">\(text("t"))</entity>"

  static let drops: [(copy: String, accepted: [String], place: String)] = [
    ("stage \"copy\" { drop { \"A.d\" } }", [], "notes.pipeline:3"),
    ("stage \"copy\" { accept_loss = { \"A.*\" } }", [], "notes.pipeline:3"),
    ("stage \"copy\" {}", ["A.d"], "--accept-loss"),
  ]

  @Test("a drop, an accepted loss or a flag is named with its place", arguments: drops)
  func dropped(copy: String, accepted: [String], place: String) async throws {
    let words = try await line("d", Self.without, copy: copy, accepted: accepted)
    #expect(words == "removed with the attribute; given up: \(place)")
  }

  @Test("a script that rejects objects is the cause, though the pipeline accepts the loss")
  func rejected() async throws {
    let words = try await line(
      "t", Self.without, copy: "stage \"copy\" { accept_loss = { \"A.*\" } }",
      script: "return { create = function(old, new, ctx) ctx.reject('no') end }")
    #expect(words?.contains("2 gone with objects; given up: rejected") == true)
  }

  @Test("objects that a condition leaves out go by its place") func left() async throws {
    let words = try await line(
      "t", Self.without,
      copy: "stage \"copy\" { drop { \"A.d\" }, where { entity = \"A\", \"t != 'a'\" } }")
    #expect(words?.contains("1 gone with objects; given up: where, notes.pipeline:3") == true)
  }

  @Test("a conversion that was asked for answers for what it rounds") func converted() async throws
  {
    let words = try await line(
      "d", "<entity name=\"A\">\(Self.text("t"))\(Self.text("d", "Float"))</entity>",
      copy: """
        stage "copy" { map { entity = "A", attributes = { d = convert("d", "Float") } } }
        """)
    #expect(words?.contains("1 changed; given up: convert, notes.pipeline:3") == true)
  }

  @Test("an attribute that a script never reads is reported as such") func unread() async throws {
    let words = try await line(
      "d", Self.without, copy: "stage \"copy\" { drop { \"A.d\" } }",
      script: "return { attributes = { t = function(t) return t end } }")
    #expect(words?.contains("s.lua never reads it") == true)
  }
}
