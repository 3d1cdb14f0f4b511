import Foundation
import SQLite
import TestSupport
import Testing

@testable import Benchmarks
@testable import LargeStore

@Suite(
  "What a model's size costs", .temporaryFolder,
  .enabled(if: StepCounter.isThere, "steps are counted on Linux, with clang, without sanitizers"))
struct LinearCostTests {
  private static let kinds = Workload.growing.map(\.name)

  /// How much more one of many may cost than one of few: tables of hashes and sorted lists grow a
  /// little faster than what is in them, and SQLite goes through its schema at each change of it.
  private static let most = 1.5

  /// Three sizes of a model.
  ///
  /// The table of a family has a column for each entity. Work that looks at every column for every
  /// entity is cheap as long as there are few.
  private static func sizes(_ kind: String) -> [Int] {
    kind == "family" ? [10, 100, 500] : [10, 100, 300]
  }

  @Test(
    "each entity, attribute and relationship costs the same, however many others there are",
    arguments: kinds)
  func linear(_ kind: String) throws {
    let counter = try StepCounter(in: TemporaryFolder.url)
    let sizes = kind == "entities" ? [10, 100, 1_000] : Self.sizes(kind)
    try expectLinear(kind, sizes) { try Self.steps(kind, $0, counter) }
  }

  @Test(
    "so it is where a model or a store is looked at, tried out or written", arguments: kinds)
  func others(_ kind: String) throws {
    let counter = try StepCounter(in: TemporaryFolder.url)
    try expectLinear(kind, Self.sizes(kind)) { size in
      let work = try Self.written(try #require(Workload.named(kind, size)), size)
      return try counter.steps(of: [
        "model diff": work.modelDifference,
        "new": ["new"] + work.versions + ["-o", work.path("new"), "--no-input"],
        "test": ["test", work.path("new")],
        "sample": [
          "sample", "from", work.store, "--objects", "1", "--models", work.models,
          "-o", work.path("sample.sqlite"),
        ],
        "preflight": [
          "plan", work.pipeline, work.store, "--preflight", "--report", work.path("plan.html"),
        ],
        "dry run": work.dryRun,
        "dry run of a sample": ["run", work.pipeline, work.store, "--dry-run", "--sample", "1"],
      ])
    }
  }

  @Test(
    "each relationship that is given up costs the same, however many others there are",
    arguments: ["drop", "accept_loss ="])
  func losses(_ option: String) throws {
    let counter = try StepCounter(in: TemporaryFolder.url)
    try expectLinear("lost links", [10, 100, 1_000]) { size in
      var workload = try #require(Workload.named("links", size))
      workload.versions[1] = "<entity name=\"Item\"/><entity name=\"Other\"/>"
      let links = (0..<size).map { String(format: "%04ld", $0) }
      let names = links.flatMap { ["\"Item.r\($0)\"", "\"Other.i\($0)\""] }
      let all = (["\"Item.weight\""] + names).joined(separator: ", ")
      workload.migrations[0].copy = " \(option) { \(all) } "
      let work = try Self.written(workload, size)
      return try counter.steps(of: ["model diff": work.modelDifference, "dry run": work.dryRun])
    }
  }

  @Test("each script that makes objects costs the same, however many others there are")
  func scripts() throws {
    let counter = try StepCounter(in: TemporaryFolder.url)
    try expectLinear("scripts", [10, 100, 300]) { size in
      let work = try Self.written(try #require(Workload.named("entities", size)), size)
      let entities = (0..<size).map { String(format: "E%04ld", $0) }
      for entity in entities {
        let text = """
          return {
            create = function(old, new)
              return new.\(entity) { name = old.name, mass = old.weight }
            end,
          }
          """
        try Data(text.utf8).write(to: URL(filePath: work.path("\(entity).lua")))
      }
      let stages = entities.map {
        "stage \"transform\" { entity = \"\($0)\", script = \"\($0).lua\" }"
      }
      let text = """
        pipeline "p" { format = 1, models = "\(work.models)", target = "\(work.title) 2" }
        stage "detect" {}
        stage "open" {}
        stage "copy" { accept_loss = { "*" } }
        \(stages.joined(separator: "\n"))
        stage "connect" {}
        stage "validate" {}
        stage "verify" {}
        stage "swap" {}
        """
      let pipeline = work.path("scripts.pipeline")
      try Data(text.utf8).write(to: URL(filePath: pipeline))
      return try counter.steps(of: [
        "check": ["check", pipeline],
        "plan": ["plan", pipeline, work.store, "--report", work.path("scripts.html")],
        "run": ["run", pipeline, work.store],
      ])
    }
  }

  /// A workload in a folder.
  private struct Written {
    let folder: URL
    let title: String

    var store: String { path("\(title).sqlite") }
    var models: String { path("\(title).xcdatamodeld") }
    var pipeline: String { path("rename.pipeline") }
    /// The options that name both versions.
    var versions: [String] { ["--models", models, "--from", title, "--to", "\(title) 2"] }
    var modelDifference: [String] {
      ["model", "diff", models, "--from", title, "--to", "\(title) 2", "--html", path("m.html")]
    }
    var dryRun: [String] {
      ["run", pipeline, store, "--dry-run", "--report", path("dry.html")]
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }
  }

  private static func written(_ workload: Workload, _ size: Int) throws -> Written {
    let folder = TemporaryFolder.url.appending(path: "\(size)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try workload.write(into: folder, count: size)
    return Written(folder: folder, title: workload.title)
  }

  /// What waits for its user's decision, so many times.
  enum Undecided: String, CaseIterable {
    case entities, similar, attributes, mandatory, heirs, distant

    /// The insides of two versions.
    func versions(_ count: Int) -> [String] {
      func text(_ name: String, isOptional: Bool = true) -> String {
        let word = isOptional ? " optional=\"YES\"" : ""
        return "<attribute name=\"\(name)\" attributeType=\"String\"\(word)/>"
      }
      func entity(_ name: String, _ body: String, parent: String? = nil) -> String {
        let parent = parent.map { " parentEntity=\"\($0)\"" } ?? ""
        return "<entity name=\"\(name)\"\(parent)>\(body)</entity>"
      }
      func link(_ name: String, _ far: String, _ back: String, _ more: String) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" \(more) destinationEntity=\"\(far)\" "
          + "inverseName=\"\(back)\" inverseEntity=\"\(far)\"/>"
      }
      func all(_ text: (Int) -> String) -> String { (0..<count).map(text).joined() }
      return switch self {
      case .entities:
        [
          all { entity("Thing\($0)", text("name\($0)")) },
          all { entity("Object\($0)", text("title\($0)")) },
        ]
      case .similar:
        [
          all { entity("Document\($0)", text("name")) },
          all { entity("Documents\($0)", text("title")) },
        ]
      case .attributes:
        [
          entity("Thing", all { text("phone\($0)") }),
          entity("Thing", all { text("telephone\($0)") }),
        ]
      case .mandatory:
        [
          entity("Thing", all { text("old\($0)") }),
          entity("Thing", all { text("street\($0)", isOptional: false) }),
        ]
      case .heirs:
        [
          entity("Thing", text("name"))
            + all { entity("Thing\($0)", text("phone\($0)"), parent: "Thing") },
          entity("Thing", text("name"))
            + all { entity("Thing\($0)", text("street\($0)", isOptional: false), parent: "Thing") },
        ]
      case .distant:
        [("", all { text("phone\($0)") }), (all { text("street\($0)") }, "")].map { thing, place in
          entity("Thing", thing + link("place", "Place", "things", "maxCount=\"1\""))
            + entity("Place", place + link("things", "Thing", "place", "toMany=\"YES\""))
        }
      }
    }
  }

  @Test(
    "each answer that waits for the user costs the same, however many others there are",
    arguments: Undecided.allCases)
  func undecided(_ kind: Undecided) throws {
    let counter = try StepCounter(in: TemporaryFolder.url)
    let program = BuiltPrograms.folder.appending(path: "pipeline").path
    try expectLinear(kind.rawValue, [10, 100, 300]) { size in
      let folder = TemporaryFolder.url.appending(path: "\(size)")
      for (version, body) in zip(["App", "App 2"], kind.versions(size)) {
        let model = folder.appending(path: "App.xcdatamodeld/\(version).xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        let text = "<?xml version=\"1.0\"?><model documentVersion=\"1.0\">\(body)</model>"
        try Data(text.utf8).write(to: model.appending(path: "contents"))
      }
      let out = folder.appending(path: "new").path
      let models = folder.appending(path: "App.xcdatamodeld").path
      let versions = ["--from", "App", "--to", "App 2"]
      let new = [program, "new", "--models", models] + versions + ["-o", out, "--no-input"]
      let lint = [program, "model", "diff", models] + versions + ["--fail-on", "renames"]
      return [
        "new": try counter.steps(of: new), "lint": try counter.steps(of: lint),
        "check": try counter.steps(of: [program, "check", "\(out)/app_2.pipeline"]),
      ]
    }
  }

  /// As many labels as items, each with an item in every kind of relationship; five names.
  private static let duplicates = Workload(
    name: "duplicates", title: "Duplicates",
    versions: ["", #"<attribute name="size" optional="YES" attributeType="Double"/>"#].map { more in
      func link(_ name: String, _ rest: String) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" \(rest)/>"
      }
      func back(_ name: String, _ entity: String) -> String {
        "destinationEntity=\"\(entity)\" inverseName=\"\(name)\" inverseEntity=\"\(entity)\""
      }
      return """
        <entity name="Item">\(more)
        \(link("label", #"maxCount="1" "# + back("items", "Label")))
        \(link("labels", #"toMany="YES" "# + back("marks", "Label")))
        \(link("way", #"maxCount="1" destinationEntity="Label""#))
        </entity>
        <entity name="Label"><attribute name="name" optional="YES" attributeType="String"/>
        \(link("items", #"toMany="YES" ordered="YES" "# + back("label", "Item")))
        \(link("marks", #"toMany="YES" ordered="YES" "# + back("labels", "Item")))
        \(link("stars", #"toMany="YES" destinationEntity="Item""#))
        </entity>
        """
    },
    migrations: [
      Migration(
        name: "dedupe", version: 2, last: #"stage "dedupe" { entity = "Label", key = "name" }"#)
    ],
    fill: { store, count in
      let numbers =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
      try store.execute(
        """
        \(numbers) INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, i % 5 FROM n;
        \(numbers) INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLABEL, Z_FOK_LABEL, ZWAY, Z2STARS)
          SELECT i, 1, 1, i, 2048, i, i FROM n;
        \(numbers) INSERT INTO Z_1LABELS (Z_1MARKS, Z_2LABELS, Z_FOK_1MARKS)
          SELECT i, i, 2048 FROM n;
        -- Some items have many labels, and among them the one that stays.
        \(numbers) INSERT OR IGNORE INTO Z_1LABELS (Z_1MARKS, Z_2LABELS, Z_FOK_1MARKS)
          SELECT i % 7 + 1, i, 3072 FROM n;
        """)
    })

  @Test("each object that is merged costs the same, however many have been merged into one")
  func merged() throws {
    let counter = try StepCounter(in: TemporaryFolder.url)
    let program = BuiltPrograms.folder.appending(path: "pipeline").path
    try expectLinear("duplicates", [100, 500, 2_000]) { size in
      let folder = TemporaryFolder.url.appending(path: "\(size)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Self.duplicates.write(into: folder, count: size)
      let store = folder.appending(path: "Duplicates.sqlite").path
      let pipeline = folder.appending(path: "dedupe.pipeline").path
      let steps = try counter.steps(of: [program, "run", pipeline, store])
      let migrated = try Connection(path: store, mode: .foreign)
      #expect(
        try migrated.string(
          """
          SELECT (SELECT count(*) FROM ZLABEL) || ' ' || (SELECT count(DISTINCT ZLABEL) FROM ZITEM)
            || ' ' || (SELECT count(DISTINCT Z_FOK_LABEL) >= \(size / 5) FROM ZITEM)
          """) == "5 5 1")
      try migrated.close()
      return ["run": steps]
    }
  }

  private func expectLinear(
    _ kind: String, _ sizes: [Int], _ steps: (Int) throws -> [String: Int]
  ) throws {
    let steps = try sizes.map(steps)
    for command in steps[0].keys.sorted() {
      let counts = steps.map { $0[command] ?? 0 }
      func each(_ few: Int, _ many: Int) -> Double {
        Double(counts[many] - counts[few]) / Double(sizes[many] - sizes[few])
      }
      let (first, last) = (each(0, 1), each(1, 2))
      #expect(
        last <= first * Self.most,
        "\(command): \(counts) steps with \(sizes) \(kind), \(first) each, then \(last)")
    }
  }

  /// The steps of each command, on a store and a model of this size.
  private static func steps(
    _ kind: String, _ size: Int, _ counter: StepCounter
  ) throws -> [String: Int] {
    let work = try written(try #require(Workload.named(kind, size)), size)
    let old = work.path("old.sqlite")
    try FileManager.default.copyItem(atPath: work.store, toPath: old)
    return try counter.steps(of: [
      "check": ["check", work.pipeline], "plan": ["plan", work.pipeline, work.store],
      "run": ["run", work.pipeline, work.store, "--report", work.path("report.html")],
      "diff": ["diff", old, work.store, "--models", work.models],
      "verify": ["verify", work.store],
    ])
  }
}

extension StepCounter {
  /// The steps of commands of the program, by the names they are given, one after the other.
  fileprivate func steps(of commands: KeyValuePairs<String, [String]>) throws -> [String: Int] {
    let program = BuiltPrograms.folder.appending(path: "pipeline").path
    var steps: [String: Int] = [:]
    for (name, words) in commands { steps[name] = try self.steps(of: [program] + words) }
    return steps
  }
}
