import CoreDataStore
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Plans", .temporaryFolder)
struct PlannerTests {
  @Test("each entity says how it travels, how many objects it has and what is lost")
  func entities() throws {
    let plan = try PlanFolder.notes().plan(store: "Notes.sqlite")
    #expect(plan.problems == [])
    #expect(plan.source?.name == "Notes" && plan.target.name == "Notes 2" && !plan.isCurrent)
    let step = try #require(plan.steps.first)
    #expect(plan.steps.count == 1 && step.stages.map(\.name) == ["copy", "transform", "connect"])
    let ways = step.entities.map { "\($0.source ?? "-") \($0.target ?? "-") \($0.how)" }
    #expect(
      ways == [
        "Folder Folder copied", "Note Note scripted", "Tag Label copied", "- Attachment added",
      ])
    #expect(step.entities.map(\.rows) == [2, 3, 1, 0])
    #expect(
      step.entities[1].lost
        == [PlannedLoss(name: "Note.done", values: 3, isDeclared: true)])
    #expect(step.scripts.map(\.entity) == ["Note"])
  }

  @Test("each attribute says where its values come from and by which rule")
  func attributes() throws {
    let plan = try PlanFolder.notes().plan()
    let note = try #require(plan.steps.first?.entities.first { $0.source == "Note" })
    #expect(
      note.attributes.map { "\($0.name) \($0.from ?? "-") \($0.rule)" } == [
        "body text renamed by identifier", "created created same", "pinned false default",
        "priority - scripted", "title title same",
      ])
    #expect(note.rows == nil && note.bytes == nil)
  }

  @Test("without a store the plan serves every version that is accepted")
  func storeless() throws {
    let plan = try PlanFolder.notes().plan()
    #expect(plan.source == nil && plan.space == nil && !plan.isCurrent)
    #expect(plan.steps.map(\.from.name) == ["Notes"] && plan.problems == [])
  }

  @Test("a store of the target version leaves nothing to do, unless it is forced")
  func current() throws {
    let folder = try PlanFolder.notes()
    let text = PlanFolder.notesText(#"stage "copy" {}"#, header: #"target = "Notes""#)
    let plan = try folder.plan(text, store: "Notes.sqlite")
    #expect(plan.isCurrent && plan.space == nil)
    let forced = try folder.plan(text, store: "Notes.sqlite", PlanSettings(force: true))
    #expect(!forced.isCurrent && forced.problems == [])
    #expect(forced.steps.flatMap(\.entities).map(\.how) == [.kept, .kept, .kept])
  }

  @Test("a new inverse stays empty, as Core Data leaves it")
  func links() throws {
    func model(_ more: String, _ back: String) -> String {
      """
      <entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="B" \
      \(more)/></entity><entity name="B">\(back)</entity>
      """
    }
    let inverse = #"inverseEntity="B" inverseName="a""#
    let back = """
      <relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseEntity="A" \
      inverseName="b"/>
      """
    let folder = try PlanFolder.models([model("", ""), model(inverse, back)])
    let source = try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App")
    let rows = "INSERT INTO ZA (Z_PK, Z_ENT, ZB) VALUES (1, 1, 1), (2, 1, 1);"
    try SampleStore.make(of: source, at: folder.path("full.sqlite"), adding: rows)
    let text = PlanFolder.appText(#"stage "copy" {}"#)
    #expect(try folder.check(text) == [])
    #expect(try folder.plan(text, store: "full.sqlite").problems == [])
  }

  @Test("numbers that their new type cannot give back are a loss, with their count")
  func misfits() throws {
    func model(_ type: String) -> String {
      """
      <entity name="A"><attribute name="n" optional="YES" attributeType="\(type)"/></entity>
      """
    }
    let folder = try PlanFolder.models([model("Integer 32"), model("Integer 16")])
    let source = try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App")
    let rows = "INSERT INTO ZA (Z_PK, Z_ENT, ZN) VALUES (1, 1, 7), (2, 1, \(70_000)), (3, 1, NULL);"
    try SampleStore.make(of: source, at: folder.path("full.sqlite"), adding: rows)
    try SampleStore.make(of: source, at: folder.path("empty.sqlite"))
    let text = PlanFolder.appText(#"stage "copy" {}"#)
    #expect(try folder.check(text) == [])
    #expect(try folder.plan(text, store: "empty.sqlite").problems == [])
    let problem = try #require(try folder.plan(text, store: "full.sqlite").problems.first)
    #expect(problem.message.contains("A.n: Core Data carries numbers over as they are"))
    #expect(problem.message.contains("The store has 1 such value."))
    let accepted = PlanSettings(acceptedLosses: ["A.n"])
    #expect(try folder.plan(text, store: "full.sqlite", accepted).problems == [])
  }

  @Test("a loss counts only where the store has data, and nobody gave it up")
  func losses() throws {
    let text = PlanFolder.notesText(
      #"stage "copy" { map { entity = "Note", attributes = { priority = 0 } } }"#)
    let folder = try PlanFolder.notes()
    let subjects = ["Note.done", "Note.priority"]
    let found = try folder.plan(text, store: "Notes.sqlite").problems.map(\.message)
    #expect(found.count == 2 && zip(found, subjects).allSatisfy { $0.hasPrefix($1 + ": ") })
    let one = PlanSettings(acceptedLosses: ["Note.done"])
    #expect(try folder.plan(text, store: "Notes.sqlite", one).problems.count == 1)
    let all = PlanSettings(acceptedLosses: ["*"])
    #expect(try folder.plan(text, store: "Notes.sqlite", all).problems == [])
  }

  @Test("data that the store has none of is no loss; without a store it is one")
  func empty() throws {
    let text = PlanFolder.notesText(
      """
      stage "copy" {
        drop { "Note.done" }, map { entity = "Note", attributes = { priority = 0 } },
      }
      """)
    let folder = try PlanFolder.notes(adding: "UPDATE ZNOTE SET ZPRIORITY = NULL;")
    #expect(try folder.plan(text).problems.count == 1)
    #expect(try folder.plan(text, store: "Notes.sqlite").problems == [])
  }

  @Test("the room it takes counts the copies and the backup")
  func space() throws {
    let folder = try PlanFolder.notes()
    let plan = try folder.plan(store: "Notes.sqlite")
    let space = try #require(plan.space)
    let bytes = try Store(folder.path("Notes.sqlite")).files.bytes
    // The copy, which is the backup, and the new store in the work folder; the journal next to the
    // store; two spares.
    #expect(space.needed == 3 * bytes + 2 * (16 << 20))
    #expect(space.free ?? 0 > 0 && space.isEnough)
  }

  @Test("object URIs that break are named, and those that the store holds as text")
  func uris() throws {
    let folder = try PlanFolder.notes(
      adding: "UPDATE ZNOTE SET ZTEXT = 'see x-coredata://3E0B/Note/p2' WHERE Z_PK = 1;")
    let uris = try folder.plan(store: "Notes.sqlite").uris
    #expect(uris.breaks && uris.reasons == ["Tag, now Label: the entity has another name"])
    #expect(uris.mentions == [PlannedURIs.Mention(place: "Note.text", count: 1)])
  }

  @Test("a new UUID breaks all URIs")
  func uuid() throws {
    let text = PlanFolder.notesText(
      #"stage "copy" {} stage "metadata" { uuid = "new" }"#, header: #"target = "Notes""#)
    let plan = try PlanFolder.notes().plan(text, store: "Notes.sqlite", PlanSettings(force: true))
    #expect(plan.uris.reasons == ["the whole store: it gets a new UUID"])
  }

  @Test("the digest changes with file, scripts and losses, and with nothing else")
  func digest() throws {
    let folder = try PlanFolder.notes()
    let digest = try folder.plan(store: "Notes.sqlite").digest
    #expect(try folder.plan(store: "Notes.sqlite").digest == digest)
    let losses = PlanSettings(acceptedLosses: ["*"])
    #expect(try folder.plan(store: "Notes.sqlite", losses).digest != digest)
    try folder.write("return { attributes = { priority = 1 } }", to: "notes_priority.lua")
    #expect(try folder.plan(store: "Notes.sqlite").digest != digest)
  }

  @Test("a constant or a name in a script is a rule of the mapping, without Lua")
  func plainScript() throws {
    let folder = try PlanFolder.notes()
    try folder.write(
      #"return { attributes = { priority = 3, body = from "title" } }"#, to: "notes_priority.lua")
    let plan = try folder.plan()
    let note = try #require(plan.steps.first?.entities.first { $0.source == "Note" })
    #expect(note.how == .copied)
    let found = note.attributes.filter { ["body", "priority"].contains($0.name) }
    #expect(found.map(\.from) == ["title", "3"])
    #expect(found.map(\.rule) == ["renamed in the file", "constant"])
  }

  @Test("a store that the models do not know is refused, and why is said")
  func unknown() throws {
    let folder = try PlanFolder.notes()
    let other = try PlanFolder.models([#"<entity name="Z"/>"#])
    let error = #expect(throws: Failure.self) {
      try Planner(pipeline: other.pipeline(PlanFolder.appText(#"stage "copy" {}"#)))
        .plan(store: Store(folder.path("Notes.sqlite")))
    }
    #expect(error?.kind == .unusable && error?.why.hasPrefix("None of the versions") == true)
  }

  @Test("a store of a version that the file does not take is refused")
  func refused() throws {
    let folder = try PlanFolder.notes()
    let text = PlanFolder.notesText(#"stage "copy" {}"#, header: #"accept = { "Notes 2" }"#)
    let error = #expect(throws: Failure.self) { try folder.plan(text, store: "Notes.sqlite") }
    #expect(error?.why == #"It is of the version "Notes", and the pipeline takes "Notes 2"."#)
  }
}
