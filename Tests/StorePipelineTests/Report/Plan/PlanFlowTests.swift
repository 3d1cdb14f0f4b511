import TestSupport
import Testing

@testable import StorePipeline

@Suite("Where properties go, as boxes and lines", .temporaryFolder)
struct PlanFlowTests {
  /// Each line as "Note.text > Note.body renamed"; without an end, "nothing".
  private func lines(_ flows: [PlanFlow]) -> [String] {
    flows.flatMap { flow in
      flow.lines.map { line in
        func name(_ end: PlanFlow.Line.End?, _ boxes: [PlanFlow.Box]) -> String {
          guard let end else { return "nothing" }
          let box = boxes[end.box]
          return box.name + (end.row.map { ".\(box.rows[$0].name ?? "rest")" } ?? "")
        }
        return "\(name(line.from, flow.sources)) > \(name(line.to, flow.targets)) \(line.kind)"
      }
    }
  }

  private func flows(_ versions: [String], _ stages: String) throws -> [PlanFlow] {
    let plan = try PlanFolder.models(versions).plan(PlanFolder.appText(stages))
    return PlanFlow.flows(of: try #require(plan.steps.first))
  }

  private func entity(_ name: String, _ attributes: [String]) -> String {
    let elements = attributes.map {
      #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"#
    }
    return "<entity name=\"\(name)\">\(elements.joined())</entity>"
  }

  @Test("each property has the line that the plan says, what is lost comes first")
  func notes() throws {
    let plan = try PlanFolder.notes().plan(store: "Notes.sqlite")
    let flows = PlanFlow.flows(of: try #require(plan.steps.first))
    #expect(flows.first?.kind == .lost)
    let lines = lines(flows)
    for line in [
      "Note.done > nothing lost", "Note.text > Note.body renamed", "Note.title > Note.title same",
      "Note.priority > Note.priority scripted", "nothing > Note.pinned added",
      "Note.tags > Note.labels renamed", "Tag.name > Label.name same",
    ] { #expect(lines.contains(line), "\(line) is not in \(lines)") }
    #expect(flows.first?.notes.count == 1)
    #expect(flows.first?.notes.first?.title.hasSuffix("notes_priority.lua") == true)
  }

  @Test("a relationship that no hook of a script can fill is new, and not the script's")
  func links() throws {
    let plan = try PlanFolder.notes().plan(store: "Notes.sqlite")
    let step = try #require(plan.steps.first)
    let boxes = PlanFlow.flows(of: step).flatMap(\.targets)
    let note = try #require(boxes.first { $0.name == "Note" })
    let rows = ["attachments", "priority"].compactMap { note.row(named: $0) }.map { note.rows[$0] }
    #expect(rows.map(\.kind) == [.added, .scripted])
  }

  @Test("an entity without a place loses its objects as a whole") func dropped() throws {
    let flows = try flows(
      [entity("A", ["t"]) + entity("B", ["u"]), entity("A", ["t"])],
      #"stage "copy" { drop { "B" } }"#)
    #expect(lines(flows) == ["B > nothing lost", "A.t > A.t same"])
    #expect(flows.first?.sources.first?.rows.map(\.kind) == [.lost])
  }

  @Test("boxes of a flow do not overlap, and a line meets its row") func layout() throws {
    let plan = try PlanFolder.notes().plan(store: "Notes.sqlite")
    for flow in PlanFlow.flows(of: try #require(plan.steps.first)) {
      for boxes in [flow.sources, flow.targets] {
        for (above, below) in zip(boxes, boxes.dropFirst()) {
          #expect(above.top + above.height < below.top)
        }
        for box in boxes {
          #expect(box.top + box.height <= flow.height)
          for row in box.rows.indices {
            #expect(box.anchor(row) < box.top + box.height && box.anchor(row) > box.anchor(nil))
          }
        }
      }
    }
  }

  @Test("of many entities, what stays as it is shares a row and a line") func compact() throws {
    let names = (1...20).map { "E\($0)" }
    let old = names.map { entity($0, ["a", "b", "c"]) }.joined()
    let new = names.map { entity($0, $0 == "E7" ? ["a", "b"] : ["a", "b", "c"]) }.joined()
    let flows = try flows([old, new], #"stage "copy" { drop { "E7.c" } }"#)
    #expect(flows.count == 20)
    #expect(flows.allSatisfy { $0.lines.count <= 2 })
    #expect(lines(Array(flows.prefix(1))) == ["E7.rest > E7.rest same", "E7.c > nothing lost"])
    #expect(flows.last?.sources.first?.rows.map(\.type) == ["3 unchanged"])
  }
}
