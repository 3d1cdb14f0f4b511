import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels
private typealias S = ValidationSample

/// A change of the sample's note, and what SQL makes of its store before.
private struct Case: CustomTestStringConvertible {
  let rule: String
  /// What the old model says instead of what the new one says.
  let old: (new: String, old: String)
  let damage: String
  let keys: [Int64]
  let remedy: String

  var testDescription: String { rule }
}

@Suite("Objects that will fail", .temporaryFolder) struct PreflightTests {
  private static func preflight(
    _ damage: String, old: String, new: String = S.note(),
    instructions: MappingInstructions = MappingInstructions(),
    claims: PreflightClaims = PreflightClaims(), limit: Int = 100
  ) throws -> PreflightResult {
    let (before, after) = (try S.schema(note: old), try S.schema(note: new))
    let path = try S.store(schema: before, ";" + damage)
    let mapping = Mapping(from: before.model, to: after.model, instructions: instructions)
    return try Preflight([PreflightStep(before, to: after, mapping, claims: claims)], limit: limit)
      .run(Store(path))
  }

  private static let bounds = "minValueString=\"1\" maxValueString=\"9\""
  private static let lengths = "minValueString=\"2\" maxValueString=\"5\""
  private static let text = "attributeType=\"String\" minValueString=\"2\""

  private static let cases = [
    Case(
      rule: "mandatory", old: (text, "optional=\"YES\" " + text),
      damage: "UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 2", keys: [2],
      remedy: "where { entity = \"Note\", \"title IS NOT NULL\" }"),
    Case(
      rule: "at least 1", old: (bounds, ""), damage: "UPDATE ZNOTE SET ZRANK = 0 WHERE Z_PK > 1",
      keys: [2, 3],
      remedy: "stage \"transform\" { entity = \"Note\", script = \"note.lua\" } -- attributes = "
        + "{ rank = function(rank) return rank and math.max(rank, 1) end }"),
    Case(
      rule: "at most 9", old: (bounds, ""), damage: "UPDATE ZNOTE SET ZRANK = 10 WHERE Z_PK = 1",
      keys: [1],
      remedy: "stage \"transform\" { entity = \"Note\", script = \"note.lua\" } -- attributes = "
        + "{ rank = function(rank) return rank and math.min(rank, 9) end }"),
    Case(
      rule: "at least 2 long", old: (lengths, ""),
      damage: "UPDATE ZNOTE SET ZTITLE = 'é' WHERE Z_PK = 1", keys: [1],
      remedy: "stage \"transform\" { entity = \"Note\", script = \"note.lua\" }"),
    Case(
      rule: "at most 5 long", old: (lengths, ""),
      damage: "UPDATE ZNOTE SET ZTITLE = 'Butter' WHERE Z_PK = 1", keys: [1],
      remedy: "stage \"transform\" { entity = \"Note\", script = \"note.lua\" }"),
    Case(
      rule: "matches [A-Z]+|[A-Z]+-[0-9]",
      old: ("regularExpressionString=\"[A-Z]+|[A-Z]+-[0-9]\"", ""),
      damage: "UPDATE ZNOTE SET ZCODE = 'ab' WHERE Z_PK = 1", keys: [1],
      remedy: "stage \"transform\" { entity = \"Note\", script = \"note.lua\" }"),
    Case(
      rule: "mandatory", old: ("name=\"folder\"", "name=\"folder\" optional=\"YES\""),
      damage: "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 2", keys: [2],
      remedy: "where { entity = \"Note\", \"folder IS NOT NULL\" }"),
  ]

  @Test("each is named, with the line that would settle it", arguments: cases)
  private func kinds(kind: Case) throws {
    let old = S.note().replacing(kind.old.new, with: kind.old.old)
    #expect(old != S.note())
    let result = try Self.preflight(kind.damage, old: old)
    #expect(result.failures.map(\.key) == kind.keys, "\(result.failures)")
    #expect(Set(result.failures.map(\.rule)) == [kind.rule])
    #expect(!result.failures.contains { $0.entity != "Note" || $0.inSource })
    #expect(result.errors == kind.keys.count && result.warnings == 0)
    #expect(result.kinds.first?.remedies.contains(kind.remedy) == true, "\(result.kinds)")
  }

  @Test("a sound store has none") func sound() throws {
    let result = try Self.preflight("", old: S.note())
    #expect(result.errors == 0 && result.warnings == 0, "\(result.failures)")
    #expect(result.unchecked == [])
  }

  @Test("values that must be unique from now on") func unique() throws {
    let damage = "UPDATE ZNOTE SET ZCODE = 'A'"
    let result = try Self.preflight(damage, old: S.note(), new: S.note(M.unique("code")))
    #expect(result.failures.map(\.key) == [1, 2, 3])
    #expect(result.failures.first?.rule == "unique code")
    let remedies = try #require(result.kinds.first?.remedies)
    #expect(remedies.contains("stage \"dedupe\" { entity = \"Note\", key = \"code\" }"))
    let revised = try Self.preflight(
      damage, old: S.note(), new: S.note(M.unique("code")),
      claims: PreflightClaims(revised: [PropertyReference("Note", "code")], remark: "later"))
    #expect(revised.failures.isEmpty)
    let sound = try Self.preflight("", old: S.note(), new: S.note(M.unique("code")))
    #expect(sound.errors == 0)
  }

  @Test("links that must be unique are not passed in silence where objects may be left out")
  func uniqueLinks() throws {
    var instructions = MappingInstructions()
    instructions.scripts = [ScriptClaim(entity: "Folder", attributes: ["name"], reads: ["name"])]
    let new = S.note(M.unique("folder", "rank"))
    let damage = "UPDATE ZNOTE SET ZRANK = 1"
    let seen = try Self.preflight(damage, old: S.note(), new: new)
    #expect(seen.failures.map(\.key) == [1, 2] && seen.unchecked == [])
    let unseen = try Self.preflight(damage, old: S.note(), new: new, instructions: instructions)
    #expect(unseen.errors == 0)
    #expect(
      unseen.unchecked.contains("Note.folder: what it leads to may be left out on the way"),
      "\(unseen.unchecked)")
  }

  @Test("links to fewer or more objects than the new model wants") func counts() throws {
    let few = S.note().replacing("name=\"tags\"", with: "name=\"tags\" minCount=\"2\"")
    let result = try Self.preflight("", old: S.note(), new: few)
    #expect(result.failures.map(\.key) == [1, 2], "\(result.failures)")
    #expect(result.failures.first?.rule == "at least 2 objects or none")
    let damage = """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (2, 4, 1), (3, 4, 1);
      INSERT INTO Z_3TAGS (Z_3NOTES, Z_4TAGS) VALUES (3, 1), (3, 2), (3, 3);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Tag'
      """
    let many = S.note().replacing("name=\"tags\"", with: "name=\"tags\" maxCount=\"2\"")
    let more = try Self.preflight(damage, old: S.note(), new: many)
    #expect(more.failures.map(\.key) == [3], "\(more.failures)")
  }

  private static let old = [
    ("UPDATE ZNOTE SET ZFOLDER = 9 WHERE Z_PK = 2", "leads to an object that is there"),
    ("UPDATE ZNOTE SET ZRANK = 0 WHERE Z_PK = 2", "at least 1"),
    ("UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 2", "mandatory"),
    ("UPDATE ZFOLDER SET ZNAME = 'Home'", "unique name"),
  ]

  @Test("what is as wrong in the store already is no error", arguments: old)
  func warnings(damage: String, rule: String) throws {
    let result = try Self.preflight(damage, old: S.note())
    #expect(result.errors == 0 && result.warnings > 0, "\(result.failures)")
    #expect(result.failures.allSatisfy { $0.inSource && $0.rule == rule })
  }

  @Test("a default of the new model is a value") func defaults() throws {
    let new = S.note("<attribute name=\"kind\" attributeType=\"String\" defaultValueString=\"x\"/>")
    let result = try Self.preflight("", old: S.note(), new: new)
    #expect(result.errors == 0, "\(result.failures)")
  }

  @Test("objects that are left out break nothing, and leave links behind them empty")
  func leftOut() throws {
    var instructions = MappingInstructions()
    instructions.filters = [ObjectFilter(entity: "Folder", condition: "name != nil")]
    let damage = "UPDATE ZFOLDER SET ZNAME = NULL WHERE Z_PK = 2"
    let result = try Self.preflight(damage, old: S.note(), instructions: instructions)
    #expect(result.failures.map(\.key) == [3], "\(result.failures)")
    #expect(result.failures.first?.property == "folder" && result.errors == 1)
    // Core Data looks only at what has become mandatory.
    #expect(result.kinds.allSatisfy { $0.refusal == nil && !$0.endsRun })
  }

  @Test("what a script claims is not looked at, and that is said") func claims() throws {
    let old = S.note().replacing(Self.bounds, with: "")
    let damage = "UPDATE ZNOTE SET ZRANK = 0, ZTITLE = 'Much too long' WHERE Z_PK = 2"
    var instructions = MappingInstructions()
    instructions.scripts = [
      ScriptClaim(entity: "Note", attributes: ["title"], reads: ["title"], path: "lua/titles.lua")
    ]
    let looser = old.replacing(Self.lengths, with: "")
    let some = try Self.preflight(damage, old: looser, instructions: instructions)
    #expect(some.failures.map(\.property) == ["rank"], "\(some.failures)")
    let remedies = some.kinds.flatMap(\.remedies)
    #expect(remedies.contains { $0.hasPrefix("the script lua/titles.lua -- ") }, "\(remedies)")
    #expect(!remedies.contains { $0.contains("stage \"transform\"") }, "\(remedies)")
    let none = try Self.preflight(
      damage, old: looser, claims: PreflightClaims(entities: ["Note"], links: true))
    #expect(none.errors == 0)
    #expect(
      none.unchecked == [
        "Note: a script decides", "relationships: a script may make links",
      ])
  }

  @Test("all are counted, and as many listed as wanted") func limit() throws {
    let old = S.note().replacing(Self.bounds, with: "")
    let result = try Self.preflight("UPDATE ZNOTE SET ZRANK = 0", old: old, limit: 2)
    #expect(result.failures.count == 2 && result.errors == 3)
    #expect(result.kinds.map(\.count.errors) == [3])
  }

  private static func rank(_ rule: String) -> String {
    S.note(
      "<attribute name=\"more\" optional=\"YES\" attributeType=\"Integer 16\" \(rule)/>")
  }

  @Test("before a run only rules count that an object might newly break") func brief() throws {
    func hasRules(_ old: String, _ new: String) throws -> Bool {
      let (before, after) = (try S.schema(note: old), try S.schema(note: new))
      let mapping = Mapping(from: before.model, to: after.model)
      return try Preflight([PreflightStep(before, to: after, mapping)], isBrief: true).hasRules
    }
    let (free, bound) = (Self.rank(""), Self.rank(Self.bounds))
    #expect(try !hasRules(bound, bound))
    #expect(try !hasRules(bound, free))
    #expect(try hasRules(free, bound))
    let kind = "<attribute name=\"kind\" attributeType=\"String\"/>"
    let given = kind.replacing("/>", with: " defaultValueString=\"x\"/>")
    #expect(try hasRules(S.note(), S.note(kind)))
    #expect(try !hasRules(S.note(), S.note(given)))
  }

  @Test("the store is as it was") func untouched() throws {
    let schema = try S.schema()
    let path = try S.store(schema: schema)
    let before = try Data(contentsOf: URL(filePath: path))
    let store = try Store(path)
    let mapping = Mapping(from: schema.model, to: schema.model)
    _ = try Preflight([PreflightStep(schema, to: schema, mapping)]).run(store)
    #expect(try store.connection.integer("SELECT count(*) FROM temp.sqlite_schema") == 0)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("the objects of a very large family are seen as the mapping of each entity has them")
  func family() throws {
    func schema(_ attribute: (Int) -> String) throws -> StoreSchema {
      let children = (0..<520).map { number in
        let body = number < 3 ? "<attribute \(attribute(number)) attributeType=\"Double\"/>" : ""
        return "<entity name=\"E\(number)\" parentEntity=\"Root\">\(body)</entity>"
      }
      return try M.schema("<entity name=\"Root\" isAbstract=\"YES\"/>" + children.joined())
    }
    let before = try schema { "name=\"a\($0)\" optional=\"YES\"" }
    let after = try schema { number in
      number < 2 ? "name=\"b\(number)\" elementID=\"a\(number)\"" : "name=\"c\" optional=\"YES\""
    }
    let path = samplePath("family.sqlite")
    try SampleStore.make(
      of: before.model, at: path,
      adding: """
        INSERT INTO ZROOT (Z_PK, Z_ENT, ZA0, ZA1)
        SELECT r.value ->> 0, p.Z_ENT, r.value ->> 2, r.value ->> 3 FROM json_each(
          '[[1,"E0",null,1],[2,"E0",1,null],[3,"E1",1,null],[4,"E1",null,1],[5,"E519",null,null]]'
        ) AS r JOIN Z_PRIMARYKEY AS p ON p.Z_NAME = r.value ->> 1
        """)
    let mapping = Mapping(from: before.model, to: after.model)
    var filtered = MappingInstructions()
    filtered.filters = [ObjectFilter(entity: "E1", condition: "a1 != nil")]
    let left = Mapping(from: before.model, to: after.model, instructions: filtered)
    for (mapping, keys) in [(mapping, [1, 3]), (left, [1])] as [(Mapping, [Int64])] {
      let step = PreflightStep(before, to: after, mapping)
      let result = try Preflight([step]).run(Store(path))
      #expect(result.failures.map(\.key) == keys, "\(result.failures)")
    }
  }

  @Test("links and unique values are looked at in all of a family, in one step or after another")
  func relatives() throws {
    func schema(_ more: String, _ isOptional: String, _ constraints: String) throws -> StoreSchema {
      try M.schema(
        """
        <entity name="Root" isAbstract="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="next" \(isOptional) maxCount="1" destinationEntity="Root" \
        inverseName="previous" inverseEntity="Root"/>
        <relationship name="previous" optional="YES" toMany="YES" destinationEntity="Root" \
        inverseName="next" inverseEntity="Root"/>\(constraints)</entity>
        <entity name="A" parentEntity="Root"/>\(more)<entity name="B" parentEntity="Root"/>
        <entity name="C" parentEntity="B"/>
        """)
    }
    let before = try schema("", "optional=\"YES\"", "")
    // A new entity among the others: the numbers of those behind it change.
    let after = try schema(
      "<entity name=\"AA\" parentEntity=\"Root\"/>", "", M.unique("name"))
    let path = samplePath("relatives.sqlite")
    try SampleStore.make(
      of: before.model, at: path,
      adding: """
        INSERT INTO ZROOT (Z_PK, Z_ENT, ZNAME, ZNEXT, Z1_NEXT)
        SELECT r.value ->> 0, p.Z_ENT, r.value ->> 2, r.value ->> 3, p.Z_ENT FROM json_each(
          '[[1,"A","x",2],[2,"B","x",3],[3,"C","y",4],[4,"A","gone",1],[5,"C",null,null]]'
        ) AS r JOIN Z_PRIMARYKEY AS p ON p.Z_NAME = r.value ->> 1
        """)
    var instructions = MappingInstructions()
    instructions.filters = [ObjectFilter(entity: "A", condition: "name != 'gone'")]
    let same = PreflightStep(before, to: before, Mapping(from: before.model, to: before.model))
    let last = PreflightStep(
      before, to: after,
      Mapping(from: before.model, to: after.model, instructions: instructions))
    for steps in [[last], [same, last]] {
      let result = try Preflight(steps).run(Store(path))
      #expect(
        result.failures.map { "\($0.entity) \($0.key) \($0.property): \($0.rule)" } == [
          "A 1 name: unique name", "B 2 name: unique name", "C 3 next: mandatory",
          "C 5 next: mandatory",
        ])
    }
  }

  @Test("failures are listed by key, also where an index has all that is asked for")
  func order() throws {
    func schema(_ isOptional: String, _ parent: String) throws -> StoreSchema {
      try M.schema(
        """
        <entity name="Root">
        <relationship name="next" \(isOptional) maxCount="1" destinationEntity="Root" \
        inverseName="previous" inverseEntity="Root"/>
        <relationship name="previous" optional="YES" toMany="YES" destinationEntity="Root" \
        inverseName="next" inverseEntity="Root"/>
        <relationship name="others" optional="YES" toMany="YES" destinationEntity="Other" \
        inverseName="to" inverseEntity="Other"/></entity>
        <entity name="Other" \(parent)>
        <attribute name="code" optional="YES" attributeType="String"/>
        <relationship name="to" optional="YES" maxCount="1" destinationEntity="Root" \
        inverseName="others" inverseEntity="Root"/></entity>
        """)
    }
    let before = try schema("optional=\"YES\"", "")
    let after = try schema("", "parentEntity=\"Root\"")
    let path = samplePath("order.sqlite")
    try SampleStore.make(
      of: before.model, at: path,
      adding: """
        INSERT INTO ZROOT (Z_PK, Z_ENT, ZNEXT) SELECT r.value, p.Z_ENT, r.value
        FROM json_each('[1,2,3]') AS r JOIN Z_PRIMARYKEY AS p ON p.Z_NAME = 'Root';
        INSERT INTO ZOTHER (Z_PK, Z_ENT, ZTO) SELECT r.value, p.Z_ENT, 4 - r.value
        FROM json_each('[1,2,3]') AS r JOIN Z_PRIMARYKEY AS p ON p.Z_NAME = 'Other'
        """)
    let step = PreflightStep(before, to: after, Mapping(from: before.model, to: after.model))
    let result = try Preflight([step]).run(Store(path))
    #expect(result.failures.filter { $0.entity == "Other" }.map(\.key) == [1, 2, 3])
  }
}
