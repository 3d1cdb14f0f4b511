import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Large values without files", .temporaryFolder) struct MissingExternalsTests {
  private static let warning =
    "A.photo: the files of 4 values are missing or are not regular files"

  private static func name(_ number: Int) -> String {
    "0F8FAD5B-D9CB-469F-A165-70867728950\(number)"
  }

  /// Two versions, and a store with five values in files: one is there, one is missing, and a link,
  /// a pipe and a folder are in the place of the others.
  private struct Sample: Sendable {
    let folder: PlanFolder
    var store: String { folder.path("App.sqlite") }

    init(_ step: String = #"step "App 2" { stage "copy" {} }"#, isExternal: Bool = true) throws {
      let external = #"allowsExternalBinaryDataStorage="YES""#
      func entity(_ more: String, _ last: String = "") -> String {
        #"""
        <entity name="A"><attribute name="photo" optional="YES" attributeType="Binary" \#(more)/>
        \#(last)</entity>
        """#
      }
      let size = #"<attribute name="size" optional="YES" attributeType="Integer 64"/>"#
      folder = try PlanFolder.models([
        entity(external), entity(isExternal ? external : "", size),
      ])
      let values = (1...5).map { number in
        let name = Data(name(number).utf8).map { String($0, radix: 16) }.joined()
        return "(\(number), 1, 1, x'02\(name)00')"
      }
      try SampleStore.make(
        of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
        adding: """
          INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZPHOTO) VALUES \(values.joined(separator: ", "));
          UPDATE Z_PRIMARYKEY SET Z_MAX = 5
          """)
      try folder.write("picture", to: ".App_SUPPORT/_EXTERNAL_DATA/\(name(1))")
      try FileManager.default.createSymbolicLink(
        atPath: file(3), withDestinationPath: folder.path("App.xcdatamodeld"))
      try #require(NamedPipe.make(file(4)))
      try FileManager.default.createDirectory(atPath: file(5), withIntermediateDirectories: false)
      try folder.write(
        PlanFolder.appText(step).replacing(
          "stage \"swap\" {}", with: "stage \"verify\" {}\nstage \"swap\" {}"), to: "a.pipeline")
    }

    func file(_ number: Int) -> String {
      folder.path(".App_SUPPORT/_EXTERNAL_DATA/\(name(number))")
    }

    var plan: Plan {
      get throws {
        let text = try String(contentsOfFile: folder.path("a.pipeline"), encoding: .utf8)
        return try folder.plan(text, store: "App.sqlite")
      }
    }

    func run() async throws -> RunSummary {
      try await Run(plan, store: store, options: RunOptions()).execute()
    }
  }

  @Test("plan, run, backup and verify each warn once, with attribute and count")
  func warnings() async throws {
    let sample = try Sample()
    #expect(try sample.plan.warnings.filter { $0.contains("A.photo") } == [Self.warning])
    let backups = try StoreRecovery.backUp([sample.store], to: sample.folder.path("backup"))
    // The store keeps no model that could give the column a name.
    let column = Self.warning.replacing("A.photo", with: "ZA.ZPHOTO")
    #expect(backups.flatMap(\.missing).map(\.warning) == [column])
    #expect(backups.map(\.isVerified) == [false])
    #expect(backups.flatMap(\.missing).flatMap(\.files) == (2...5).map(Self.name))
    let summary = try await sample.run()
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.filter { $0.contains("A.photo") } == [Self.warning])
    #expect(
      try StoreRows.read("SELECT count(*) FROM ZA WHERE length(ZPHOTO) = 38", at: sample.store)
        == ["5"])
    let verification = try await StoreVerification(store: sample.store).run()
    #expect(verification.count == 0)
    #expect(verification.warnings.filter { $0.contains("A.photo") } == [Self.warning])
  }

  @Test("what inspect counts as missing is what the plan warns of")
  func inspected() throws {
    let sample = try Sample()
    let store = try Store(sample.store)
    let files = try store.facts(
      store.recognise(among: ModelSource([sample.folder.path("App.xcdatamodeld")]))
    ).externalFiles
    #expect(files?.missing == 4 && files?.present == 1)
    #expect(files?.missingValues.map(\.count) == [4])
  }

  @Test("a conversion that needs a value without a file makes the store unusable")
  func conversion() async throws {
    let sample = try Sample(
      #"""
      step "App 2" {
        stage "copy" { map { entity = "A", attributes = { photo = from("photo") } } },
      }
      """#, isExternal: false)
    let error = await #expect(throws: Failure.self) { try await sample.run() }
    #expect(error?.kind == .unusable)
    #expect(error?.subject == "entity A, Z_PK 2, attribute photo")
    #expect(error?.why == "The file of the value is missing.")
  }

  @Test(
    "a script that needs a value without a file fails, and the store is to blame",
    arguments: [1, 2])
  func script(workers: Int) async throws {
    let sample = try Sample(
      #"step "App 2" { stage "transform" { entity = "A", script = "a.lua" } }"#)
    try sample.folder.write(
      "return { attributes = { size = function(photo) return photo and #photo end } }",
      to: "a.lua")
    var options = RunOptions()
    options.workers = workers
    let run = Run(try sample.plan, store: sample.store, options: options)
    let failure = await #expect(throws: ScriptFailure.self) { try await run.execute() }
    #expect(failure?.isOfStore == true)
    #expect(failure?.key == 2)
    #expect(failure?.message.contains("The file of the value is missing.") == true)
  }

  @Test("two attributes made of one value without a file have none either")
  func shared() async throws {
    let external = #"optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES""#
    func entity(_ names: String...) -> String {
      let attributes = names.map { #"<attribute name="\#($0)" \#(external)/>"# }
      return #"<entity name="A">\#(attributes.joined())</entity>"#
    }
    let folder = try PlanFolder.models([entity("x"), entity("x", "y")])
    let reference = "02\(Data(Self.name(1).utf8).map { String($0, radix: 16) }.joined())00"
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, x'\(reference)')")
    let text = PlanFolder.appText(
      #"step "App 2" { stage "copy" { map { entity = "A", attributes = { y = from "x" } } } }"#)
    let run = Run(
      try folder.plan(text, store: "App.sqlite"), store: folder.path("App.sqlite"),
      options: RunOptions())
    let summary = try await run.execute()
    #expect(summary.outcome == .swapped)
    #expect(
      summary.warnings.contains("A.x: the file of 1 value is missing or is not a regular file"))
  }
}
