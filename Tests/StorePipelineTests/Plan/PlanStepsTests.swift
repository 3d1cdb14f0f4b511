import CoreDataStore
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Steps of a plan", .temporaryFolder)
struct PlanStepsTests {
  private static func entity(_ attributes: String...) -> String {
    let list = attributes.map {
      #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"#
    }
    return #"<entity name="A">\#(list.joined())</entity>"#
  }

  private static let versions = [entity("a"), entity("a", "b"), entity("b"), entity("b", "c")]

  private static let chain = """
    step "App 3" { stage "copy" { drop { "A.a" } } }
    step "App 4" { stage "copy" {} }
    """

  @Test("a chain plans each hop once, from every version that comes before")
  func hops() throws {
    let plan = try PlanFolder.models(Self.versions).plan(PlanFolder.appText(Self.chain))
    #expect(
      plan.steps.map { "\($0.from.name) > \($0.to.name)" }
        == ["App > App 3", "App 3 > App 4", "App 2 > App 3"])
    #expect(plan.problems == [])
  }

  @Test("a problem of one version alone says which")
  func oneVersion() throws {
    let text = PlanFolder.appText(
      #"stage "copy" { drop { "A.a" } }"#,
      header: #"accept = { "App 2", "App 4" }, target = "App 3""#)
    let found = try PlanFolder.models(Self.versions).check(text)
    #expect(found.count == 1 && found[0].hasPrefix("notes.pipeline:3: from App 4: A.c: "))
  }

  @Test(
    "the steps that remain depend on the store's version",
    arguments: [
      ("App", ["App 3", "App 4"]), ("App 2", ["App 3", "App 4"]), ("App 3", ["App 4"]),
      ("App 4", []),
    ])
  func remaining(version: String, steps: [String]) throws {
    let folder = try PlanFolder.models(Self.versions)
    try makeStore(of: version, in: folder)
    let plan = try folder.plan(PlanFolder.appText(Self.chain), store: "App.sqlite")
    #expect(plan.steps.map(\.to.name) == steps && plan.problems == [])
    #expect(plan.isCurrent == steps.isEmpty)
    for (one, next) in zip(plan.steps, plan.steps.dropFirst()) {
      #expect(next.from == one.to && next.sourceSchema.model == one.targetSchema.model)
    }
  }

  @Test("a loss in a later step counts by what the store has")
  func laterLoss() throws {
    let text = PlanFolder.appText(
      """
      step "App 2" { stage "copy" {} }
      step "App 3" { stage "copy" {} }
      """)
    let folder = try PlanFolder.models(Self.versions)
    try makeStore(of: "App", in: folder, name: "Empty.sqlite")
    #expect(try folder.plan(text, store: "Empty.sqlite").problems == [])
    try makeStore(
      of: "App", in: folder, rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')")
    let found = try folder.plan(text, store: "App.sqlite").problems
    #expect(found.map(\.line) == [4] && found[0].message.hasPrefix("A.a: "))
  }

  @Test("a store behind the target is refused with what to do", arguments: ["App", "App 3"])
  func later(target: String) throws {
    let folder = try PlanFolder.models(Self.versions)
    try makeStore(of: "App 4", in: folder)
    let text = PlanFolder.appText(#"stage "copy" {}"#, header: "target = \"\(target)\"")
    let error = #expect(throws: Failure.self) { try folder.plan(text, store: "App.sqlite") }
    #expect(error?.why == "It is of the version \"App 4\", which comes after \"\(target)\".")
    #expect(error?.remedy.contains("'accept'") == true)
  }

  @Test("a store comes after the target only when all versions with its hashes do")
  func equalHashes() throws {
    let folder = try PlanFolder.models([
      Self.entity("a"), Self.entity("a", "b"), "<entity name=\"A\"/>", Self.entity("a"),
      Self.entity("a", "b", "c"),
    ])
    // Versions 1 and 4 have equal hashes; the target is between them.
    try makeStore(of: "App 4", in: folder)
    let text = PlanFolder.appText(#"stage "copy" {}"#, header: #"target = "App 2""#)
    let plan = try folder.plan(text, store: "App.sqlite")
    #expect(plan.steps.map(\.to.name) == ["App 2"] && plan.problems == [])
    try makeStore(of: "App 5", in: folder, name: "Later.sqlite")
    #expect(throws: Failure.self) { try folder.plan(text, store: "Later.sqlite") }
  }

  private func makeStore(
    of version: String, in folder: PlanFolder, name: String = "App.sqlite", rows: String = ""
  ) throws {
    let library = try ModelLibrary([folder.path("App.xcdatamodeld")])
    try SampleStore.make(
      of: library.model(named: version), at: folder.path(name), adding: rows)
  }
}
