import StorePipeline
import TestSupport
import Testing

@Suite("Plans as text", .temporaryFolder)
struct TextPlanReportTests {
  private func lines(_ plan: Plan, store: String? = nil) -> [String] {
    TextPlanReport(plan, store: store, width: 80, style: Style(isOn: false)).text
      .split(separator: "\n").map(String.init)
  }

  @Test("entities, attributes and losses stand below the step") func step() throws {
    let lines = lines(try PlanFolder.notes().plan(store: "Notes.sqlite"), store: "Notes.sqlite")
    #expect(lines.contains("store     Notes.sqlite of version Notes"))
    #expect(lines.contains("  copied    Tag -> Label, 1 object, 4.1 kB"))
    #expect(lines.contains("            body      from text, renamed by identifier"))
    #expect(lines.contains("            lost      Note.done: 3 values"))
  }

  @Test("without a store nothing is counted") func storeless() throws {
    let lines = lines(try PlanFolder.notes().plan())
    #expect(lines.contains("from      Notes") && lines.contains("  copied    Folder"))
    #expect(lines.contains("            lost      Note.done: whatever it holds"))
    #expect(!lines.contains { $0.hasPrefix("space") })
  }

  @Test("links that move are reported, and discarded ones with them") func links() throws {
    let from = Self.pair(aMany: true, bMany: true)
    let folder = try PlanFolder.models([from, Self.pair(aMany: true, bMany: false)])
    let text = PlanFolder.appText(#"stage "copy" { one { "B.owners", keep = "first" } }"#)
    let lines = lines(try folder.plan(text))
    #expect(lines.contains("Links that do not stay in their place"))
    #expect(lines.contains { $0.contains("join table to column; links may be discarded") })
  }

  private static func pair(aMany: Bool, bMany: Bool) -> String {
    func end(_ name: String, _ many: Bool, to other: String, _ inverse: String) -> String {
      """
      <relationship name="\(name)" optional="YES" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") \
      deletionRule="Nullify" destinationEntity="\(other)" inverseName="\(inverse)" \
      inverseEntity="\(other)"/>
      """
    }
    return """
      <entity name="A">\(end("parts", aMany, to: "B", "owners"))</entity>
      <entity name="B">\(end("owners", bMany, to: "A", "parts"))</entity>
      """
  }
}
