import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Values of rejected objects, as a run makes them", .temporaryFolder)
struct RetriedValuesTests {
  private typealias Pair = MadePair

  private static let transform = """
    stage "transform" { entity = "A", script = "a.lua", on_error = "reject" }
    """

  /// Runs the pipeline with a script that rejects what is called 'Bad', changes the store as an
  /// application would, and retries with one that rejects nothing.
  @discardableResult
  private func retry(
    _ pair: MadePair, _ script: String, changing sql: String = ""
  ) async throws -> RetrySummary {
    let reject = "if x == 'Bad' then error('bad') end"
    try pair.write(script.replacing("%REJECT%", with: reject), to: "a.lua")
    #expect(try await pair.run(more: Self.transform).faults == [])
    if !sql.isEmpty { try SampleStore.change(pair.store, by: sql) }
    try pair.write(script.replacing("%REJECT%", with: ""), to: "a.lua")
    return try await RejectRetry(store: pair.store).run()
  }

  private static let computing = """
    return { attributes = { y = function(x) %REJECT% return x end } }
    """
  private static let creating = """
    return { creates = { "A" }, create = function(a, new)
      local x = a.x
      %REJECT%
      local copy = new.A(a)
      copy.y = x
      return copy
    end }
    """

  private static let composites = """
    <composite name="Geo"><attribute name="lat" attributeType="Double" optional="YES"/></composite>
    <composite name="Address"><attribute name="city" attributeType="String" optional="YES"/>
    <attribute name="geo" attributeType="Composite" composite="Geo"/></composite>
    """

  private static func address(_ name: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"Composite\" composite=\"Address\" \(more)/>"
  }

  @Test("composite attributes come with it, renamed ones too", arguments: [computing, creating])
  func composite(script: String) async throws {
    let pair = try Pair(
      Self.composites + Pair.entity("A", nil, Pair.text("x"), Self.address("home")),
      Self.composites
        + Pair.entity(
          "A", nil, Pair.text("x"), Pair.text("y"), Self.address("house", "elementID=\"home\"")),
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, ZCITY, ZLAT) VALUES
          (1, 1, 1, 'Bad', 'Kyoto', 35.5), (2, 1, 1, 'ok', 'Lima', -12);
        """)
    try await retry(pair, script)
    #expect(
      try pair.rows("SELECT Z_PK, ZX, ZY, ZCITY, ZLAT FROM ZA ORDER BY 1")
        == ["1|Bad|Bad|Kyoto|35.5", "2|ok|ok|Lima|-12.0"])
    #expect(try await StoreVerification(store: pair.store).run().isSame)
  }

  private static let changes = """
    SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK FROM ACHANGE ORDER BY 1
    """

  @Test(
    "the history stays as the run has left it: it has no change of what a script makes",
    arguments: [(computing, ["1|0|1|1", "2|0|1|2"]), (creating, ["2|0|1|2"])])
  func history(script: String, changes: [String]) async throws {
    let pair = try Pair(
      Pair.entity("A", nil, Pair.text("x")),
      Pair.entity("A", nil, Pair.text("x"), Pair.text("y")),
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'Bad'), (2, 1, 1, 'ok');
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT) VALUES (1, 16002, 1);
        INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        VALUES (1, 16001, 1, 0, 1, 1, 1), (2, 16001, 1, 0, 1, 2, 1);
        """, keepsHistory: true)
    try await retry(pair, script)
    #expect(try pair.rows("SELECT ZX, ZY FROM ZA ORDER BY 1") == ["Bad|Bad", "ok|ok"])
    #expect(try pair.rows(Self.changes) == changes)
    #expect(try await StoreVerification(store: pair.store).run().isSame)
  }

  private static let name = "00000000-0000-4000-8000-000000000001"

  @Test("where an application has a file of the same name, each value stays what it was")
  func files() async throws {
    func entity(_ more: String = "") -> String {
      Pair.entity(
        "A", nil, Pair.text("x") + more,
        """
        <attribute name="file" optional="YES" attributeType="Binary"
        allowsExternalBinaryDataStorage="YES"/>
        """)
    }
    func reference(_ name: String) -> String { "CAST(x'02' || '\(name)' || x'00' AS BLOB)" }
    let pair = try Pair(
      entity(), entity(Pair.text("y")),
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, ZFILE) VALUES
          (1, 1, 1, 'Bad', \(reference(Self.name))), (2, 1, 1, 'ok', NULL);
        """)
    let folder = URL(filePath: try StoreFiles(pair.store).externalDataFolder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: Self.name)
    try Data("own".utf8).write(to: file)
    let reject = "if x == 'Bad' then error('bad') end"
    try pair.write(Self.computing.replacing("%REJECT%", with: reject), to: "a.lua")
    #expect(try await pair.run(more: Self.transform).faults == [])
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try Data("the application's".utf8).write(to: file)
    try SampleStore.change(
      pair.store, by: "UPDATE ZA SET ZFILE = \(reference(Self.name)) WHERE Z_PK = 2")
    try pair.write(Self.computing.replacing("%REJECT%", with: ""), to: "a.lua")
    _ = try await RejectRetry(store: pair.store).run()
    let names = try pair.rows(
      "SELECT substr(CAST(ZFILE AS TEXT), 2, 36) FROM ZA ORDER BY Z_PK")
    let contents = try names.map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
    #expect(contents == ["own", "the application's"])
    #expect(names.last == Self.name)
  }
}
