import Formats
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("One picture of many stores", .temporaryFolder)
struct FleetPictureTests {
  private static var folder: URL { TemporaryFolder.url }

  private static func member(
    _ store: String, _ status: Int32?, _ outcome: String, error: String? = nil
  ) -> FleetPicture.Member {
    var member = FleetPicture.Member(store)
    member.last = FleetPicture.LastRun(at: 1, status: status, outcome: outcome)
    member.last?.error = error
    return member
  }

  private static func damaged(_ store: String, page: Int) -> FleetPicture.Member {
    member(
      store, 3, "failed",
      error: "cannot use the store: \(store)\nIt is damaged: page \(page).\nRestore the store.")
  }

  @Test("failures that differ in names and numbers alone are one cause, with one example")
  func causes() {
    let picture = FleetPicture([
      Self.damaged("a.sqlite", page: 7), Self.damaged("b.sqlite", page: 1234),
      Self.member(
        "c.sqlite", 2, "failed",
        error: "notes.lua:7: no such attribute\n    7 | a\n  while making\n  Correct the script."),
      Self.member("d.sqlite", 2, "failed", error: "notes.lua:9: no such attribute"),
      Self.member("e.sqlite", 0, "swapped"), Self.member("f.sqlite", nil, "interrupted"),
    ])
    let causes = picture.causes
    #expect(causes.map { $0.count } == [2, 1, 1])
    #expect(causes[0].cause.words == "cannot use the store: It is damaged: page 7.")
    #expect(causes[0].cause.example == "a.sqlite")
    #expect(causes[0].cause.remedy == "Restore the store.")
    #expect(causes[1].cause.words == "notes.lua:7: no such attribute")
    #expect(causes[1].cause.remedy == "Correct the script.")
    #expect(picture.status == 1)
  }

  private static let needs: [(status: Int32?, outcome: String, need: FleetPicture.Need)] = [
    (0, "swapped", .nothing), (1, "invalid", .person), (3, "failed", .person),
    (4, "failed", .repetition), (5, "failed", .repetition), (130, "interrupted", .repetition),
    (nil, "interrupted", .repetition), (nil, "running", .time),
  ]

  @Test("the status of its last run says what a store needs", arguments: needs)
  func need(status: Int32?, outcome: String, need: FleetPicture.Need) {
    #expect(Self.member("a", status, outcome).need == need)
  }

  @Test("a store that no run has been through needs one, and one that is done needs nothing")
  func advice() {
    let waiting = FleetPicture([FleetPicture.Member("a b.sqlite")])
    #expect(waiting.advice.map(\.command) == ["pipeline plan FILE 'a b.sqlite'"])
    #expect(waiting.status == 0)
    let done = FleetPicture([Self.member("a", 0, "swapped")])
    #expect(done.advice.map(\.words) == ["Nothing is left to do."])
  }

  private static func events(_ lines: [String], as name: String) throws -> String {
    let file = folder.appending(path: name)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    return file.path
  }

  private static func event(
    _ kind: String, _ second: Int, _ store: String, run: String = "r", rest: String = ""
  ) -> String {
    """
    {"event":"\(kind)","time":"2026-11-21T14:45:\(second).000Z","run":"\(run)","store":"\(store)",\
    "stage":null,"entity":null,"rows":0,"total":null,"bytes":0\(rest)}
    """
  }

  private static func look(_ events: [String]) async throws -> FleetPicture {
    var choices = FleetPicture.Choices()
    choices.events = events
    return try await FleetPicture.look(at: FleetPicture.Search([]), choices)
  }

  @Test("of two machines that report a store the later one counts, whichever is read first")
  func machines() async throws {
    let first = try Self.events(
      [
        "a line of another program",
        Self.event("run-started", 10, "/x/a.sqlite", run: "one"),
        Self.event("warning", 11, "/x/a.sqlite", run: "one", rest: #","message":"m""#),
        Self.event(
          "run-finished", 12, "/x/a.sqlite", run: "one",
          rest: #","message":"cannot copy: /x/a.sqlite\nThe disk is full.\nFree it.","status":4"#),
        Self.event("run-started", 13, "/x/cut.sqlite", run: "two"),
      ], as: "first")
    let second = try Self.events(
      [
        Self.event("run-started", 20, "/x/a.sqlite", run: "one"),
        Self.event(
          "run-finished", 25, "/x/a.sqlite", run: "one",
          rest: """
            ,"status":0,"outcome":"swapped","source":"A","target":"A 2","objects":6,"seconds":4.5,\
            "lost":{"Note.due":3},"failures":[]
            """),
      ], as: "second")
    for files in [[first, second], [second, first]] {
      let picture = try await Self.look(files)
      #expect(picture.members.map(\.store) == ["/x/a.sqlite", "/x/cut.sqlite"])
      #expect(picture.members.map(\.outcome) == ["swapped", "interrupted"])
      let last = try #require(picture.members.first?.last)
      #expect(last.status == 0 && last.seconds == 4.5 && last.objects == 6)
      #expect(last.warnings == 1)
      #expect(last.error == nil)
      #expect(picture.losses.map { "\($0.property) \($0.lost) \($0.stores)" } == ["Note.due 3 1"])
      #expect(picture.versions.map(\.name) == ["A 2"])
      #expect(picture.status == 0)
    }
  }

  @Test("a file of events that says nothing of runs is refused, and so is one that is not there")
  func refused() async throws {
    let file = try Self.events(["a line"], as: "log")
    await #expect(throws: (any Error).self) { try await Self.look([file]) }
    await #expect(throws: (any Error).self) { try await Self.look([file + "-none"]) }
  }

  @Test("stores are found by their first bytes, and what belongs to them is none")
  func search() throws {
    let manager = FileManager.default
    try NotesSample.lay(in: Self.folder)
    let store = Self.folder.appending(path: "Notes.sqlite")
    for name in ["a", "sub/b.sqlite", "sub/c.store"] {
      let place = Self.folder.appending(path: name)
      try manager.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try manager.copyItem(at: store, to: place)
    }
    for name in ["a-wal", "text", ".a_SUPPORT/_EXTERNAL_DATA/x.sqlite", "a.pipeline/run/x.sqlite"] {
      let place = Self.folder.appending(path: name)
      try manager.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("text".utf8).write(to: place)
    }
    try manager.createSymbolicLink(
      at: Self.folder.appending(path: "link.sqlite"), withDestinationURL: store)
    let found = try FleetPicture.Search([Self.folder.path, store.path]).stores
    let names = ["Notes.sqlite", "a", "sub/b.sqlite", "sub/c.store"]
    #expect(found.count == names.count)
    #expect(zip(found, names).allSatisfy { $0.hasSuffix("/\($1)") }, "\(found)")
    #expect(throws: (any Error).self) { try FleetPicture.Search([store.path + "-none"]) }
  }

  @Test("the page shows texts as they are, runs no script and loads nothing") func page() throws {
    let page = FleetPicture([
      Self.member("<script>alert(1)</script>.sqlite", 3, "failed", error: "a\n<img src=x>\nc"),
      Self.member("b.sqlite", 0, "swapped"),
    ]).html
    #expect(!page.contains("<script") && !page.contains("<img"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;.sqlite"))
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("<strong>1</strong> failed"))
  }

  @Test("the page lists a thousand stores, those that failed first, and counts the others")
  func long() throws {
    let done = (0..<1500).map { Self.member("s\($0).sqlite", 0, "swapped") }
    let page = FleetPicture(done + [Self.damaged("z.sqlite", page: 3)]).html
    let list = try #require(page.components(separatedBy: "Store by store").last)
    #expect(list.components(separatedBy: "<tr ").count == 1001)
    #expect(list.components(separatedBy: "<tr ")[1].contains("z.sqlite"))
    #expect(page.contains("501 more stores are counted"))
  }

  @Test(
    "the page opens in a browser without an error",
    .enabled(if: Browser.program != nil, "install Chromium: make test-deps"),
    .timeLimit(.minutes(10)))
  func browser() throws {
    let file = Self.folder.appending(path: "fleet.html")
    let picture = FleetPicture([
      Self.damaged("a.sqlite", page: 1), Self.member("b.sqlite", 0, "swapped"),
    ])
    try Data(picture.html.utf8).write(to: file)
    let (shown, talk) = try Browser.show(file)
    #expect(talk.split(separator: "\n").filter { $0.contains("CONSOLE") } == [])
    #expect(shown.contains("<strong>1</strong> done"))
  }
}
