import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Objects that need one that a script failed on", .temporaryFolder)
struct MandatoryLinksRunTests {
  /// Notes that need a folder, and a script of the folders that knows one of the two.
  private struct Sample {
    let folder: PlanFolder
    var store: String { folder.path("App.sqlite") }

    init() throws {
      func model(_ more: String) -> String {
        """
        <entity name="Folder"><attribute name="name" optional="YES" attributeType="String"/>\(more)
          <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note"
            inverseName="folder" inverseEntity="Note"/></entity>
        <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>
          <relationship name="folder" maxCount="1" destinationEntity="Folder"
            inverseName="notes" inverseEntity="Folder"/></entity>
        """
      }
      folder = try PlanFolder.models([
        model(""),
        model("<attribute name=\"size\" optional=\"YES\" attributeType=\"Integer 16\"/>"),
      ])
      try SampleStore.make(
        of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
        adding: """
          INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'one'), (2, 1, 1, 'two');
          INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZFOLDER) VALUES
            (1, 2, 1, 'a', 1), (2, 2, 1, 'b', 2), (3, 2, 1, 'c', 2);
          UPDATE Z_PRIMARYKEY SET Z_MAX = 3
          """)
      try write(knowing: "one")
    }

    func write(knowing name: String) throws {
      try folder.write(
        """
        return { attributes = { size = function(name)
          if name ~= "\(name)" and "\(name)" ~= "*" then error("not known") end
          return #name
        end } }
        """, to: "size.lua")
    }

    func plan(_ onError: String = "reject", copy: String = "") throws -> Plan {
      try folder.plan(
        PlanFolder.appText(
          """
          stage "copy" { \(copy) }
          stage "transform" { entity = "Folder", script = "size.lua", on_error = "\(onError)" }
          """), store: "App.sqlite")
    }

    @discardableResult
    func run(_ plan: Plan) async throws -> RunSummary {
      try await Run(plan, store: store).execute()
    }
  }

  @Test(
    "the run names the script's error, and the corrected script simply runs again",
    arguments: [("reject", 2), ("skip", 1)])
  func corrected(onError: String, times: Int) async throws {
    let sample = try Sample()
    let bytes = try Data(contentsOf: URL(filePath: sample.store))
    for _ in 0..<times {
      let error = await #expect(throws: Failure.self) {
        try await sample.run(sample.plan(onError))
      }
      #expect(error?.kind == .no)
      #expect(error?.subject == "Note.folder of Note, Z_PK 2")
      #expect(error?.why.contains("size.lua:2: not known") == true, "\(error?.why ?? "")")
      #expect(error?.why.contains("1 more of these links") == true)
      #expect(try Data(contentsOf: URL(filePath: sample.store)) == bytes)
    }
    let status = try StoreRecovery(store: sample.store).status()
    #expect(TextStoreStatus(status).text.contains(", failed"))
    try sample.write(knowing: "*")
    let summary = try await sample.run(sample.plan(onError))
    #expect(summary.outcome == .swapped)
    #expect(
      summary.warnings.contains {
        $0.hasPrefix("size.lua has changed since a link to an object that is not in the result")
          && $0.contains("Note.folder of Note, Z_PK 2") && $0.contains("starts over")
      }, "\(summary.warnings)")
    #expect(try StoreRows.read("SELECT ZSIZE FROM ZFOLDER", at: sample.store) == ["3", "3"])
  }

  @Test("the pipeline file may be what is corrected: the objects that need it are left out, too")
  func condition() async throws {
    let sample = try Sample()
    await #expect(throws: Failure.self) { try await sample.run(sample.plan()) }
    let plan = try sample.plan(copy: "where { entity = \"Note\", \"text = 'a'\" }")
    let summary = try await sample.run(plan)
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.contains { $0.hasPrefix("the pipeline has changed since a link") })
    #expect(try StoreRows.read("SELECT ZTEXT FROM ZNOTE", at: sample.store) == ["a"])
  }

  @Test("a script's error on an object that others need is what a trial shows")
  func trial() throws {
    let sample = try Sample()
    _ = try sample.plan()
    let pipeline = try sample.plan().pipeline
    let report = try ScriptTry(
      .init(path: sample.folder.path("size.lua")), between: .pipeline(pipeline)
    ).run(on: sample.store)
    #expect(report.objects.map(\.source.key) == [1, 2])
    #expect(report.objects.map { $0.failure?.message } == [nil, "not known"])
    #expect(report.objects.first?.made.first?.properties.first { $0.name == "size" }?.text == "3")
  }
}
