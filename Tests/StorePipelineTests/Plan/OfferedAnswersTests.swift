import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// What `check` offers depends on what the file and its scripts say already.
@Suite("The answers that a check offers", .temporaryFolder)
struct OfferedAnswersTests {
  private static func entity(_ name: String, _ body: String..., parent: String? = nil) -> String {
    let parent = parent.map { " parentEntity=\"\($0)\"" } ?? ""
    return "<entity name=\"\(name)\"\(parent)>\(body.joined())</entity>"
  }

  private static func text(_ name: String, _ more: String = "optional=\"YES\"") -> String {
    "<attribute name=\"\(name)\" attributeType=\"String\" \(more)/>"
  }

  /// The lines below the first of the problem about a name, without those that are always there.
  private func answers(
    _ name: String, _ versions: [String], _ copy: String, script: String? = nil
  ) throws -> [String] {
    let folder = try PlanFolder.models(versions)
    var stages = "stage \"copy\" { \(copy) }"
    if let script {
      try folder.write("return { attributes = { \(script) } }", to: "script.lua")
      stages += #" stage "transform" { entity = "Note", script = "script.lua" }"#
    }
    let pipeline = try folder.pipeline(
      PlanFolder.appText(stages, header: "accept = { \"App\" }, target = \"App 2\""))
    let messages = Planner.check(pipeline).problems.map(\.message)
    let found = try #require(messages.first { $0.hasPrefix(name) }, "\(messages)")
    return found.split(separator: "\n").dropFirst()
      .map { String($0.trimmingPrefix("One answer: ").trimmingPrefix("  ")) }
      .filter { $0.contains("{") || $0.contains("function") }
  }

  private static let phone =
    #"rename { entity = "Note", attributes = { phone = "telephone" } }"#
    + "   the same type, a similar name"

  @Test("a property of an entity that the file renames has its likely new name")
  func renamed() throws {
    let versions = [
      Self.entity("Note", Self.text("phone")), Self.entity("Memo", Self.text("telephone")),
    ]
    let rename = #"rename { entity = "Note", to = "Memo" }"#
    let listed = try answers("Note.phone", versions, rename + #", undecided { "Note.phone" }"#)
    #expect(listed == [Self.phone, #"drop { "Note.phone" }"#])
  }

  @Test("what a rule or a script gives a value is no place for another value")
  func claimed() throws {
    let versions = [
      Self.entity("Note", Self.text("phone"), Self.text("fax")),
      Self.entity("Note", Self.text("telephone"), Self.text("number")),
    ]
    let place =
      #"map { entity = "Note", attributes = { number = from("fax") } }   Note.number is new"#
    let drop = #"drop { "Note.fax" }"#
    let ruled = try answers(
      "Note.fax", versions,
      #"map { entity = "Note", attributes = { telephone = from("phone") } }, "#
        + #"undecided { "Note.fax" }"#)
    #expect(ruled == [place, drop])
    let scripted = try answers(
      "Note.fax", versions, #"undecided { "Note.fax" }"#,
      script: "telephone = function(phone) return phone end")
    #expect(scripted == [place, drop])
  }

  @Test("what is listed of a child has the answers of the parent that declares it")
  func inherited() throws {
    func family(_ name: String) -> String {
      Self.entity("Note", Self.text(name)) + Self.entity("Memo", parent: "Note")
    }
    let listed = try answers(
      "Memo.phone", [family("phone"), family("telephone")], #"undecided { "Memo.phone" }"#)
    #expect(listed.first == Self.phone)
  }

  @Test("a loss that an answer brings up lists its likely new name before what loses it")
  func losses() throws {
    let versions = [
      Self.entity("Note", Self.text("phone")), Self.entity("Memo", Self.text("telephone")),
    ]
    let lost = try answers("Note.phone", versions, #"rename { entity = "Note", to = "Memo" }"#)
    #expect(lost == [Self.phone, #"drop { "Note.phone" }"#])
  }

  @Test("where only a function can make a value, it is written as new writes it")
  func incompatible() throws {
    let versions = [
      Self.entity("Note", Self.text("done")),
      Self.entity("Note", #"<attribute name="done" optional="YES" attributeType="Boolean"/>"#),
    ]
    let listed = try answers("Note.done", versions, "")
    #expect(
      listed.contains { $0.hasPrefix("done = function(done) return nil end   in the script of") },
      "\(listed)")
  }
}
