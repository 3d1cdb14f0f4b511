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

  private static func unique(_ name: String) -> String {
    "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/>"
      + "</uniquenessConstraint></uniquenessConstraints>"
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
      listed.contains { $0.hasPrefix("done = function(done) return done and ") },
      "\(listed)")
  }

  @Test("a conversion that is missing is the answer, and not what else must be decided of it")
  func conversion() throws {
    let folder = try PlanFolder.models([
      Self.entity("Note", Self.text("code")),
      Self.entity("Note", #"<attribute name="code" attributeType="UUID"/>"#, Self.unique("code")),
    ])
    let pipeline = try folder.pipeline(
      PlanFolder.appText(
        #"stage "copy" {} stage "connect" {}"#,
        header: #"accept = { "App" }, target = "App 2""#))
    let message = try #require(Planner.check(pipeline).problems.first?.message)
    let convert = #"map { entity = "Note", attributes = { code = convert("code", "UUID") } }"#
    #expect(message.hasSuffix("\nSay so in the pipeline file: \(convert)"), "\(message)")
  }

  @Test("values without a place may go where a value must be, if those without one get one")
  func mandatoryPlace() throws {
    let versions = [
      Self.entity("Note", Self.text("title")), Self.entity("Note", Self.text("name", "")),
    ]
    let both = #"undecided { "Note.title", "Note.name" }"#
    let function = #"name = function(title) return title or "" end   "#
    let lost = try answers("Note.title", versions, both)
    #expect(lost.count == 2 && lost[0].hasPrefix(function), "\(lost)")
    #expect(lost.last == #"drop { "Note.title" }"#)
    let wanted = try answers("Note.name", versions, both)
    #expect(wanted.count == 2 && wanted[0].hasPrefix(function), "\(wanted)")
    #expect(wanted.last?.hasPrefix("map {") == true, "\(wanted)")
  }

  @Test("values that may go to several places where a value must be are not just dropped")
  func mandatoryPlaces() throws {
    let versions = [
      Self.entity("Note", Self.text("phrase")),
      Self.entity("Note", Self.text("body", ""), Self.text("summary", "")),
    ]
    let all = #"undecided { "Note.phrase", "Note.body", "Note.summary" }"#
    let lost = try answers("Note.phrase", versions, all)
    try #require(lost.count == 3, "\(lost)")
    #expect(lost[0].hasPrefix(#"body = function(phrase) return phrase or "" end   "#))
    #expect(lost[1].hasPrefix(#"summary = function(phrase) return phrase or "" end   "#))
    #expect(lost[2] == #"drop { "Note.phrase" }"#)
    let wanted = try answers("Note.summary", versions, all)
    #expect(wanted.first?.hasPrefix("summary = function(phrase)") == true, "\(wanted)")
  }

  @Test("an example obeys the rules of its attribute, as far as they are known")
  func rules() throws {
    func example(_ type: String, _ more: String) throws -> [String] {
      let attribute = "<attribute name=\"code\" attributeType=\"\(type)\" \(more)/>"
      return try answers(
        "Note.code", [Self.entity("Note"), Self.entity("Note", attribute)],
        #"undecided { "Note.code" }"#)
    }
    let number = try example("Integer 16", "minValueString=\"3\"")
    #expect(number.first?.contains("{ code = 3 }") == true, "\(number)")
    #expect(number.last?.contains("return 3 end") == true, "\(number)")
    let text = try example("String", "minValueString=\"2\"")
    #expect(text.first?.contains("{ code = \"--\" }") == true, "\(text)")
    // No value is known that such a pattern takes.
    let pattern = try example("String", "regularExpressionString=\"[A-Z]{3}\"")
    #expect(!pattern.contains { $0.contains("code = \"\"") }, "\(pattern)")
  }

  @Test("objects of two entities that share a value are not merged, and the answer says so")
  func family() throws {
    func family(_ more: String) -> String {
      Self.entity("Note", Self.text("name"), more) + Self.entity("Memo", parent: "Note")
    }
    let listed = try answers(
      "Note.name", [family(""), family(Self.unique("name"))], #"undecided { "Note.name" }"#)
    let function = #"name = function(name, ctx) return name and name .. " " .. ctx.key() end"#
    try #require(listed.count == 2, "\(listed)")
    #expect(listed[0].hasPrefix(function) && listed[0].contains("Memo, Note"), "\(listed)")
    #expect(listed[1].contains("only objects of the same entity"), "\(listed)")
  }

  @Test("an example in a chain can be converted by the later steps")
  func later() throws {
    let versions = [
      Self.entity("Note"), Self.entity("Note", Self.text("code", "")),
      Self.entity("Note", #"<attribute name="code" attributeType="Integer 32"/>"#),
    ]
    let folder = try PlanFolder.models(versions)
    let pipeline = try folder.pipeline(
      PlanFolder.appText(
        """
        step "App 2" { stage "copy" { undecided { "Note.code" } }, stage "connect" {} }
        step "App 3" {
          stage "copy" {
            map { entity = "Note", attributes = { code = convert("code", "Integer 32") } },
          },
          stage "connect" {},
        }
        """, header: #"accept = { "App", "App 2" }, target = "App 3""#))
    let message = try #require(Planner.check(pipeline).problems.first?.message)
    #expect(message.contains(#"attributes = { code = "0" }"#), "\(message)")
    #expect(message.contains(#"code = function() return "0" end"#), "\(message)")
  }

  @Test("a stage that the file has already is not offered once more")
  func staged() throws {
    let folder = try PlanFolder.models([
      Self.entity("Note", Self.text("name")),
      Self.entity("Note", Self.text("name"), Self.unique("name")),
    ])
    func message(_ stage: String) throws -> String {
      let pipeline = try folder.pipeline(
        PlanFolder.appText(
          #"stage "copy" { undecided { "Note.name" } } stage "connect" {} "# + stage,
          header: #"accept = { "App" }, target = "App 2""#))
      return try #require(Planner.check(pipeline).problems.first?.message)
    }
    let dedupe = #"stage "dedupe" { entity = "Note", key = "name" }"#
    #expect(try message("").contains(dedupe))
    #expect(try !message(dedupe).contains("dedupe"))
  }

  @Test("a mandatory attribute that nothing fills lists all its answers")
  func unfilled() throws {
    let versions = [Self.entity("Note"), Self.entity("Note", Self.text("name", ""))]
    let listed = try answers("Note.name", versions, "")
    #expect(listed.count == 2, "\(listed)")
    #expect(listed.first?.contains(#"{ name = "" }"#) == true, "\(listed)")
    #expect(listed.last?.hasPrefix(#"name = function() return "" end"#) == true, "\(listed)")
  }
}
