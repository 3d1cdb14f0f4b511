import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A plan that the store has left behind", .temporaryFolder)
struct StalePlanTests {
  /// A store of the first of three versions.
  ///
  /// On the way to the second a script counts, which shows when it is run twice; the third renames
  /// what the second has.
  private struct Sample: Sendable {
    let folder: PlanFolder

    init() throws {
      func item(_ attributes: String) -> String {
        """
        <entity name="Item"><attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="count" optional="YES" attributeType="Integer 32"/>\(attributes)</entity>
        """
      }
      let memo = #"<attribute name="memo" optional="YES" attributeType="String"/>"#
      folder = try PlanFolder.models([
        item(""), item(memo), item(memo.replacing("memo", with: "text")),
      ])
      try folder.write(
        """
        return { attributes = {
          count = function(count) return count + 1 end,
          memo = function(title) return "from " .. title end,
        } }
        """, to: "item.lua")
      try make("App.sqlite")
    }

    /// Makes a store of the first version.
    func make(_ name: String) throws {
      try SampleStore.make(
        of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"),
        at: folder.path(name),
        adding: """
          INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCOUNT)
          VALUES (1, 1, 1, 'one', 10), (2, 1, 1, 'two', 20);
          UPDATE Z_PRIMARYKEY SET Z_MAX = 2;
          """)
    }

    var store: String { folder.path("App.sqlite") }

    /// A plan to the second version, or through both steps to the third.
    func plan(to target: String = "App 2") throws -> Plan {
      let script = #"stage "transform" { entity = "Item", script = "item.lua" }"#
      let steps =
        target == "App 2"
        ? "stage \"copy\" {} \(script)"
        : """
        step "App 2" { stage "copy" {}, \(script) }
        step "App 3" {
          stage "copy" { rename { entity = "Item", attributes = { memo = "text" } } }
        }
        """
      let text = PlanFolder.appText(steps, header: "target = \"\(target)\"")
      return try folder.plan(text, store: "App.sqlite")
    }

    /// The plan of `pipeline upgrade`.
    func upgrade() throws -> Plan {
      let pipeline = try Pipeline.standard(
        models: [folder.path("App.xcdatamodeld")], target: "App 2")
      return try Planner(pipeline: pipeline).plan(store: Store(store))
    }

    @discardableResult
    func run(_ plan: Plan, _ options: RunOptions = RunOptions()) async throws -> RunSummary {
      try await Run(plan, store: store, options: options).execute()
    }

    /// An application that has opened the new store writes to it.
    func write() throws {
      try SampleStore.change(
        store,
        by: """
          UPDATE ZITEM SET ZMEMO = 'mine' WHERE Z_PK = 1;
          INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCOUNT, ZMEMO)
          VALUES (3, 1, 1, 'three', 30, 'new'); UPDATE Z_PRIMARYKEY SET Z_MAX = 3
          """)
    }

    func items(_ last: String = "ZMEMO", in name: String = "App.sqlite") throws -> [String] {
      try StoreRows.read("SELECT Z_PK, ZCOUNT, \(last) FROM ZITEM", at: folder.path(name))
    }

    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: store)) }

    static let written = ["1|11|mine", "2|21|from two", "3|30|new"]
  }

  /// Whether the status is 5.
  private static func isBusy(_ error: (any Error)?) -> Bool {
    (error as? Failure)?.kind == .busy
  }

  @Test(
    "is not carried out once more: the store is at the target, and left alone",
    arguments: [false, true])
  func twice(hasOtherWork: Bool) async throws {
    let sample = try Sample()
    let plans = [try sample.plan(), try sample.plan()]
    #expect(try await sample.run(plans[0]).outcome == .swapped)
    try sample.write()
    let before = try sample.bytes()
    let work = hasOtherWork ? sample.folder.path("other") : nil
    let summary = try await sample.run(plans[1], RunOptions(work: work))
    #expect(summary.outcome == .upToDate)
    #expect(summary.status == 0)
    #expect(try sample.items() == Sample.written)
    #expect(try sample.bytes() == before)
    // It is no run that was cut short.
    let recovery = try StoreRecovery(store: sample.store, work: work)
    #expect(try recovery.interruptedRun() == nil)
    #expect(try await sample.run(sample.plan(), RunOptions(work: work)).outcome == .upToDate)
  }

  @Test("of an upgrade: the same")
  func upgradedTwice() async throws {
    let sample = try Sample()
    let plans = [try sample.upgrade(), try sample.upgrade()]
    #expect(try await sample.run(plans[0]).outcome == .swapped)
    try sample.write()
    let before = try sample.bytes()
    #expect(try await sample.run(plans[1]).outcome == .upToDate)
    #expect(try sample.bytes() == before)
  }

  @Test("makes no store elsewhere of the one that is at the target")
  func elsewhere() async throws {
    let sample = try Sample()
    let plans = [try sample.plan(), try sample.plan()]
    try await sample.run(plans[0])
    let output = sample.folder.path("Out.sqlite")
    let summary = try await sample.run(plans[1], RunOptions(output: output))
    #expect(summary.outcome == .upToDate)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test("tells nothing of a dry run that would change the new store")
  func dry() async throws {
    let sample = try Sample()
    let plans = [try sample.plan(), try sample.plan()]
    try await sample.run(plans[0])
    var options = RunOptions()
    let kept = sample.folder.path("Kept.sqlite")
    options.dryRun = DryRun(keep: kept)
    let summary = try await sample.run(plans[1], options)
    #expect(summary.outcome == .upToDate)
    #expect(!FileManager.default.fileExists(atPath: kept))
  }

  @Test("is made again when the store is of another version that the pipeline accepts")
  func between() async throws {
    let sample = try Sample()
    let far = try sample.plan(to: "App 3")
    try await sample.run(sample.plan())
    try sample.write()
    let summary = try await sample.run(far)
    #expect(summary.outcome == .swapped)
    #expect([summary.source, summary.target] == ["App 2", "App 3"])
    #expect(try sample.items("ZTEXT") == Sample.written)
  }

  @Test("is refused with status 5 when the store is of a version that the pipeline does not know")
  func unknown() async throws {
    let sample = try Sample()
    let plan = try sample.plan()
    try FileManager.default.removeItem(atPath: sample.store)
    try NotesSample.makeStore(at: sample.store, attachment: [1, 2])
    let before = try sample.bytes()
    let error = await #expect(throws: (any Error).self) { try await sample.run(plan) }
    #expect(Self.isBusy(error), "\(String(describing: error))")
    #expect(try sample.bytes() == before)
  }

  @Test("is good for rows that were written since: they are in the new store")
  func rows() async throws {
    let sample = try Sample()
    let plan = try sample.plan()
    try SampleStore.change(
      sample.store,
      by: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCOUNT) VALUES (3, 1, 1, 'three', 30);
        DELETE FROM ZITEM WHERE Z_PK = 2; UPDATE Z_PRIMARYKEY SET Z_MAX = 3
        """)
    #expect(try await sample.run(plan).outcome == .swapped)
    #expect(try sample.items() == ["1|11|from one", "3|31|from three"])
  }

  @Test("does not resume a run whose store another run has migrated meanwhile")
  func resumed() async throws {
    let sample = try Sample()
    try await sample.run(sample.plan(), RunOptions(until: "validate"))
    let plan = try sample.plan()
    try await sample.run(sample.plan(), RunOptions(work: sample.folder.path("other")))
    try sample.write()
    let before = try sample.bytes()
    do {
      let summary = try await sample.run(plan)
      #expect(summary.outcome == .upToDate)
    } catch {
      #expect(Self.isBusy(error), "\(error)")
    }
    #expect(try sample.bytes() == before)
    #expect(try sample.items() == Sample.written)
  }
}
