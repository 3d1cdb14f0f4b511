import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport

/// A chain of four versions with a script in each step: the first computes the size of a note's
/// title, the second makes the notes, a writer for each initial and a copy, the third computes a
/// label.
struct ChainSample: Sendable {
  let folder: PlanFolder

  /// What a script does with titles: those it does not know are rejected.
  struct Knowing: Sendable {
    var size = ["one", "two", "three"]
    var writer = ["one", "two", "three"]
    var label = ["one", "two", "three"]
  }

  var store: String { folder.path("App.sqlite") }

  /// Lays models, scripts and a store of the first version into the test's folder.
  init(_ knowing: Knowing = Knowing()) throws {
    folder = try PlanFolder.models(Self.versions)
    try write(knowing)
    try folder.write(PlanFolder.appText(Self.steps), to: "chain.pipeline")
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
      adding: """
        INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME)
          VALUES (1, 1, 1, 'first'), (2, 1, 1, 'second');
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZFOLDER) VALUES
          (1, 2, 1, 'one', 1), (2, 2, 1, 'two', 1), (3, 2, 1, 'three', 2);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Folder';
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Note'
        """)
  }

  private static let versions: [String] = {
    func text(_ name: String, _ type: String = "String") -> String {
      #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)"/>"#
    }
    func one(_ name: String, _ entity: String, _ inverse: String) -> String {
      """
      <relationship name="\(name)" optional="YES" maxCount="1" destinationEntity="\(entity)"
      inverseName="\(inverse)" inverseEntity="\(entity)"/>
      """
    }
    func many(_ name: String, _ entity: String, _ inverse: String) -> String {
      """
      <relationship name="\(name)" optional="YES" toMany="YES" destinationEntity="\(entity)"
      inverseName="\(inverse)" inverseEntity="\(entity)"/>
      """
    }
    func entity(_ name: String, _ body: String) -> String {
      "<entity name=\"\(name)\">\(body)</entity>"
    }
    let folder = entity("Folder", text("name") + many("notes", "Note", "folder"))
    let note = text("title") + one("folder", "Folder", "notes")
    let size = text("size", "Integer 16")
    let written = note + size + one("writer", "Person", "notes") + many("copies", "Copy", "note")
    let others =
      entity("Person", text("name") + many("notes", "Note", "writer"))
      + entity("Copy", text("name") + one("note", "Note", "copies"))
    return [
      folder + entity("Note", note), folder + entity("Note", note + size),
      folder + entity("Note", written) + others,
      folder + entity("Note", written + text("label")) + others,
    ]
  }()

  private static let steps = ["size", "writer", "label"].enumerated().map { place, name in
    """
    step "App \(place + 2)" {
      stage "copy" {},
      stage "transform" { entity = "Note", script = "\(name).lua", on_error = "reject" },
    }
    """
  }.joined(separator: "\n")

  private static func known(_ titles: [String]) -> String {
    "local known = { \(titles.map { "\($0) = true" }.joined(separator: ", ")) }\n"
  }

  /// Writes the scripts.
  func write(_ knowing: Knowing) throws {
    try folder.write(
      Self.known(knowing.size) + """
        return { attributes = { size = function(title)
          return known[title] and #title or error("no size")
        end } }
        """, to: "size.lua")
    try folder.write(
      Self.known(knowing.writer) + """
        return {
          creates = { "Note", "Person", "Copy" },
          create = function(note, new, ctx)
            if not known[note.title] then ctx.reject("no writer") end
            local copy = new.Note(note)
            local name = note.title:sub(1, 1)
            copy.writer = ctx.find("Person", { name = name })[1] or new.Person { name = name }
            new.Copy { name = note.title, note = copy }
            return copy
          end,
        }
        """, to: "writer.lua")
    try folder.write(
      Self.known(knowing.label) + """
        return { attributes = { label = function(title, size)
          return known[title] and title .. " " .. size or error("no label")
        end } }
        """, to: "label.lua")
  }

  var pipeline: Pipeline {
    get throws { try PipelineFile(path: folder.path("chain.pipeline")).pipeline() }
  }

  @discardableResult
  func run() async throws -> RunSummary {
    let plan = try Planner(pipeline: pipeline).plan(store: Store(store))
    return try await Run(plan, store: store).execute()
  }

  @discardableResult
  func retry(
    _ knowing: Knowing? = nil, events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) async throws -> RetrySummary {
    if let knowing { try write(knowing) }
    return try await RejectRetry(store: store).run(events: events)
  }

  /// How many objects wait.
  var waiting: Int { get throws { try StoreRecovery(store: store).status().rejects } }

  /// Rows of the store.
  func rows(_ sql: String) throws -> [String] { try StoreRows.read(sql, at: store) }

  /// Each note with its folder, the name of its writer, its copies and its label.
  var notes: [String] {
    get throws {
      try rows(
        """
        SELECT n.Z_PK, n.ZTITLE, n.ZSIZE, n.ZFOLDER, p.ZNAME,
        (SELECT group_concat(c.ZNAME) FROM ZCOPY AS c WHERE c.ZNOTE = n.Z_PK), n.ZLABEL
        FROM ZNOTE AS n LEFT JOIN ZPERSON AS p ON p.Z_PK = n.ZWRITER ORDER BY n.Z_PK
        """)
    }
  }

  /// What ``notes`` are when everything is there.
  static let whole = [
    "1|one|3|1|o|one|one 3", "2|two|3|1|t|two|two 3", "3|three|5|2|t|three|three 5",
  ]
}
