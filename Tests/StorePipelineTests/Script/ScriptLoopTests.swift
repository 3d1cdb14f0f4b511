import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("The loop over rows", .temporaryFolder)
struct ScriptLoopTests {
  /// A parameter that is no attribute takes a function out of the loop, object by object.
  private enum Way: String, CaseIterable {
    case inTheLoop = ""
    case byItself = "ctx"
  }

  private static func parameters(_ names: [String], _ way: Way) -> String {
    (names + [way.rawValue].filter { !$0.isEmpty }).joined(separator: ", ")
  }

  /// What a function makes of each row's value, either way, and what it fails on.
  private static func outcome(
    _ way: Way, from old: String, _ values: [String], to new: String, _ body: String
  ) throws -> [String] {
    let script = try ScriptText(
      "return { attributes = { b = function(\(parameters(["a"], way))) \(body) end } }")
    let folder = TemporaryFolder.url.appending(path: "way \(way.rawValue)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let rows = values.enumerated().map { "(\($0 + 1), 1, 1, \($1))" }.joined(separator: ", ")
    let stores = try BuildSample(
      entity("a", old), entity("b", new), rows: "INSERT INTO ZA VALUES \(rows)", in: folder
    ) { $0.scripts = [ScriptClaim(entity: "A", attributes: ["b"], reads: ["a"])] }
    let builder = try stores.builder()
    var options = ScriptOptions(runID: "", now: .distantPast, rejectsPath: stores.path("rejects"))
    options.onError = .skip
    let run = try ScriptRun(try script.outline(), builder, entity: "A", options)
    try ScriptSample.finish(run)
    let failures = run.failures.map { failure in
      // One that is called by itself reads through the host, which has fewer words before these.
      let words = failure.message.range(of: "cannot read").map {
        failure.message[$0.lowerBound...]
      }
      return "\(words ?? failure.message[...]) \(failure.line) \(failure.doing) \(failure.key ?? 0)"
    }
    return try BuildSample.rows("SELECT Z_PK, typeof(ZB), ZB FROM ZA ORDER BY Z_PK", builder)
      + failures + ["\(run.counts)"]
  }

  private static func entity(_ name: String, _ type: String) -> String {
    """
    <entity name="A">
      <attribute name="\(name)" optional="YES" \(attribute(type))/>
    </entity>
    """
  }

  /// "Binary external" is data that may lie in files.
  private static func attribute(_ type: String) -> String {
    let isExternal = type.hasSuffix(" external")
    let name = isExternal ? String(type.dropLast(9)) : type
    return "attributeType=\"\(name)\""
      + (isExternal ? " allowsExternalBinaryDataStorage=\"YES\"" : "")
  }

  @Test(
    "a function is given the same as one that is called by itself",
    arguments: [
      "Integer 16", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date",
      "Binary", "Binary external", "UUID", "URI", "Transformable",
    ])
  func arguments(type: String) throws {
    let values = [
      "NULL", "0", "1", "7", "-9223372036854775808", "9007199254740993", "0.5", "1e300", "'x'",
      "'12.50'", "''", "'é\u{1F600}'", "CAST(x'C3' AS TEXT)", "CAST(x'EDA080' AS TEXT)", "x''",
      "x'00'", "x'0102'", "x'000102030405060708090A0B0C0D0E0F'", "'a' || char(0) || 'b'",
    ]
    let body = "return (math.type(a) or type(a)) .. '/' .. tostring(a)"
    let found = try Way.allCases.map {
      try Self.outcome($0, from: type, values, to: "Binary", body)
    }
    #expect(found[0] == found[1])
  }

  @Test(
    "a result is stored, or refused, like that of one that is called by itself",
    arguments: [
      "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean",
      "Date", "Binary", "Binary external", "UUID", "URI", "Transformable",
    ])
  func results(type: String) throws {
    let results = [
      "nil", "0", "7", "32768", "-32768", "2147483648", "math.mininteger", "10.0", "10.5", "1e39",
      "0/0", "1/0", "-0.0", "true", "''", "'x'", "'12.50'", "'\\xC3'", "'\\u{1F600}'",
      "'123e4567-e89b-12d3-a456-426614174000'", "{}", "print", "a .. a",
    ]
    let keys = results.indices.map { "\($0 + 1)" }
    let body =
      results.enumerated().map { "if a == \($0 + 1) then return \($1) end" }.joined(separator: " ")
    let found = try Way.allCases.map {
      try Self.outcome($0, from: "Integer 64", keys, to: type, body)
    }
    #expect(found[0] == found[1])
  }

  /// A script for the sample's items whose `title` fails for those without a price.
  private static let failing = """
    return { attributes = {
      title = function(name, price) return name .. price end,
      place = function(qty) return qty end,
    } }
    """

  @Test("the rows around one that fails are made", arguments: [1, 2, 3])
  func goesOn(chunk: Int) throws {
    let sample = try ScriptSample(Self.failing)
    let builder = try sample.stores.builder()
    let run = try sample.run(builder, chunk: chunk) { $0.onError = .reject }
    try ScriptSample.finish(run)
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZTITLE, ZPLACE, ZOWNER FROM ZITEM", builder)
        == ["1|lamp2.5|4|1", "2|chair30.0|1|NULL"])
    #expect(run.counts.rejected == 1)
    #expect(run.counts.made == ["Item": 2])
    #expect(run.failures.first?.row == 3)
    #expect(run.progress.rows == 3)
  }

  @Test("a chunk ends at the rows or the bytes it may have", arguments: [0, 1])
  func limits(which: Int) throws {
    let sample = try ScriptSample(Self.failing.replacing(".. price", with: ".. 'x'"))
    let builder = try sample.stores.builder()
    let limits = [ChunkLimits(rows: 1), ChunkLimits(bytes: 1)]
    let run = try ScriptRun(
      try sample.script.outline(), builder, entity: "Item", sample.options,
      limits: limits[which])
    for rows in 1...3 {
      #expect(try run.chunk())
      #expect(run.progress.rows == rows)
    }
    #expect(try !run.chunk())
  }

  @Test("each row has the script's own limits, and one that breaks them ends the run")
  func ownLimits() throws {
    let sample = try ScriptSample(
      """
      return { attributes = { title = function(qty)
        for _ = 1, qty == 3 and 1e9 or 20000 do end
        return ""
      end } }
      """)
    let failure = try sample.failure { $0.instructions = 50_000 }
    #expect(failure?.message == "stopped: its instruction limit is used up")
    #expect(failure?.line == 2 && failure?.key == 5)
    #expect(failure?.remedy.contains("a loop that does not end") == true)
  }

  @Test("keys say what happened to an object, without a note of it")
  func associations() throws {
    let sample = try ScriptSample(
      """
      return {
        attributes = { title = function(name) return name end },
        relate = function(object, ctx)
          local sources = ctx.sources(object)
          object.place = #sources == 1 and #ctx.destinations(sources[1])
          object.title = object.title .. sources[1].name
        end,
      }
      """)
    let builder = try sample.stores.builder()
    try ScriptSample.finish(try sample.run(builder))
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZTITLE, ZPLACE FROM ZITEM", builder)
        == ["1|lamplamp|1", "2|chairchair|1", "5|boxbox|1"])
    #expect(
      try BuildSample.rows(
        "SELECT count(*) FROM \(BuilderTables.objects)", builder) == ["0"])
  }
}
