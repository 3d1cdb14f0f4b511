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

  @Test("the advice is the line below a list, and the reason the line above it")
  func lists() {
    let error =
      "cannot run programs: a\nIt starts these.\n  ./one  (/one)\n  ./two  (/two)\nTrust it."
    let cause = FleetPicture([Self.member("a.sqlite", 2, "failed", error: error)]).causes.first?
      .cause
    #expect(cause?.words == "cannot run programs: It starts these.")
    #expect(cause?.remedy == "Trust it.")
  }

  private static let needs: [(status: Int32?, outcome: String, need: FleetPicture.Need)] = [
    (0, "swapped", .nothing), (1, "invalid", .person), (3, "failed", .person),
    (4, "failed", .repetition), (5, "failed", .repetition), (130, "interrupted", .repetition),
    (nil, "interrupted", .repetition), (nil, "running", .time), (0, "up to date", .nothing),
    (0, "written", .nothing), (0, "retry done", .nothing), (0, "stopped", .repetition),
    (0, "staged", .repetition), (0, "dry run", .run), (0, "restore done", .run),
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

  static func events(_ lines: [String], as name: String) throws -> String {
    let file = folder.appending(path: name)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    return file.path
  }

  static func event(
    _ kind: String, _ second: Int, _ store: String, run: String = "r", rest: String = ""
  ) -> String {
    """
    {"event":"\(kind)","time":"2026-11-21T14:45:\(second).000Z","run":"\(run)","store":"\(store)",\
    "stage":null,"entity":null,"rows":0,"total":null,"bytes":0\(rest)}
    """
  }

  static func look(_ events: [String]) async throws -> FleetPicture {
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

  static func migrated(_ second: Int, run: String, lost: String) -> [String] {
    [
      event("run-started", second, "/x/a.sqlite", run: run),
      event(
        "run-finished", second + 1, "/x/a.sqlite", run: run,
        rest: """
          ,"status":0,"outcome":"swapped","source":"A","target":"A 2","objects":6,"seconds":1.5,\
          "lost":\(lost),"failures":[]
          """),
    ]
  }

  @Test("a dry run makes no store, and takes nothing from the run that has made one")
  func dryRun() async throws {
    let end = #","status":0,"outcome":"dry run","source":"A","target":"A 2""#
    let dry = try Self.events(
      [Self.event("run-finished", 20, "/x/a.sqlite", run: "two", rest: end)], as: "dry")
    let picture = try await Self.look([dry])
    #expect(picture.members.map(\.need) == [.run])
    #expect(picture.members.map(\.version) == ["A"])
    #expect(picture.advice.map(\.command) == ["pipeline plan FILE /x/a.sqlite"])
    let run = try Self.events(
      Self.migrated(10, run: "one", lost: #"{"Note.due":3}"#), as: "run")
    #expect(try await Self.look([dry, run]).members.map(\.need) == [.nothing])
  }

  @Test("a run that was stopped before its swap is not done, and is resumed")
  func stopped() {
    var member = Self.member("a", 0, "stopped")
    member.last?.run = "one"
    let picture = FleetPicture([member])
    let text = picture.text(width: 80, style: Style(isOn: false))
    #expect(text.hasPrefix("1 store: 1 to be resumed\n"))
    #expect(picture.advice.map(\.command) == ["pipeline resume a"])
    #expect(picture.advice.first?.words.contains("without --until") == true)
  }

  private static let repeated = [
    #","status":0"#,
    #","status":0,"outcome":"up to date","source":"A 2","target":"A 2","objects":0,"lost":null"#,
  ]

  @Test("that a store is up to date does not replace the run that made it", arguments: repeated)
  func repetition(end: String) async throws {
    let run = Self.migrated(10, run: "one", lost: #"{"Note.due":3}"#)
    let file = try Self.events(
      run + [Self.event("run-finished", 20, "/x/a.sqlite", run: "", rest: end)], as: "events")
    let picture = try await Self.look([file])
    let last = try #require(picture.members.first?.last)
    #expect(last.run == "one" && last.outcome == "swapped" && last.seconds == 1.5)
    #expect(last.source == "A" && last.objects == 6)
    #expect(picture.losses.map(\.lost) == [3])
  }

  static func reported(
    by host: String, run: String, _ status: Int, _ second: Int, inodes: [Int] = [],
    isShared: Bool = false, rest: String = ""
  ) throws -> String {
    let shared = isShared ? #","shared":true"# : ""
    let numbers = [inodes.first, inodes.last].map { $0.map { #","inode":\#($0)"# + shared } ?? "" }
    let place = #","path":"/x/a.sqlite","host":"\#(host)""#
    return try events(
      [
        event("run-started", second, "a.sqlite", run: run, rest: place + numbers[0]),
        event(
          "run-finished", second + 1, "a.sqlite", run: run,
          rest: #"\#(place + numbers[1]),"status":\#(status)\#(rest)"#),
      ], as: "\(host)-\(second)")
  }

  @Test("one path on two machines is two stores, unless one resumed what the other left")
  func hosts() async throws {
    let done = try Self.reported(by: "anna", run: "one", 0, 10)
    let other = try await Self.look([done, try Self.reported(by: "ben", run: "two", 3, 20)])
    #expect(other.members.map(\.store) == ["/x/a.sqlite", "/x/a.sqlite"])
    #expect(other.members.map(\.shown) == ["anna:/x/a.sqlite", "ben:/x/a.sqlite"])
    #expect(other.stores(of: "ben").map(\.store) == ["/x/a.sqlite"])
    #expect(other.stores(of: "anna:0").map(\.shown) == ["anna:/x/a.sqlite"])
    #expect(other.stores(of: "anna:3").isEmpty)
    #expect(other.advice.map(\.command) == ["pipeline status /x/a.sqlite"])
    #expect(other.advice.first?.words.hasSuffix("On ben:") == true)
    #expect(other.members.map { $0.last?.status } == [0, 3])
    for status in [5, 143] {
      let left = try Self.reported(by: "ben", run: "two", status, 5)
      let shared = try await Self.look([left, done])
      #expect(shared.members.map { $0.last?.status } == [0])
    }
    let same = try await Self.look([done, try Self.reported(by: "ben", run: "one", 0, 20)])
    #expect(same.members.count == 1)
  }

  @Test("a number with a point or a comma is one number, and causes of one remedy are one advice")
  func numbers() {
    func large(_ store: String, _ size: String) -> FleetPicture.Member {
      Self.member(
        "/x/\(store).sqlite", 3, "failed", error: "cannot read: x\nIt has \(size) kB.\nRestore it.")
    }
    let one = FleetPicture([large("a", "12"), large("b", "20.1"), large("c", "1,234.5")])
    #expect(one.causes.map(\.count) == [3])
    let lines = FleetPicture(
      ["12", "13"].map {
        Self.member("/x/\($0)", 2, "failed", error: "notes.lua:\($0): no attribute")
      })
    #expect(lines.causes.count == 2)
    let other = Self.member("d", 3, "failed", error: "cannot read: x\nIt is empty.\nRestore it.")
    let advice = FleetPicture(one.members + [other]).advice
    #expect(advice.map(\.words) == ["4 stores failed, status 3. Restore it."])
  }

  @Test("where machines share a disk, the file's number says that one path is one store")
  func sharedDisk() async throws {
    let failed = try Self.reported(by: "anna", run: "one", 1, 10, inodes: [7, 7], isShared: true)
    let done = try Self.reported(by: "ben", run: "two", 0, 20, inodes: [7, 8], isShared: true)
    let again = try Self.reported(by: "cleo", run: "three", 0, 30, inodes: [8, 9], isShared: true)
    let shared = try await Self.look([failed, done, again])
    #expect(shared.members.map(\.store) == ["/x/a.sqlite"])
    #expect(shared.members.map { $0.last?.run } == ["three"])
    let other = try Self.reported(by: "ben", run: "two", 5, 20, inodes: [8, 8], isShared: true)
    #expect(try await Self.look([failed, other]).members.count == 2)
  }

  @Test("on disks of their own, machines may give the same number to different files")
  func ownDisks() async throws {
    let failed = try Self.reported(by: "anna", run: "one", 3, 10, inodes: [2, 2])
    let done = try Self.reported(by: "ben", run: "two", 0, 20, inodes: [2, 2])
    let picture = try await Self.look([failed, done])
    #expect(picture.members.map { $0.last?.status } == [3, 0] && picture.status == 1)
  }

  @Test("a store that is here is not taken for one of another machine at the same path")
  func isHere() async throws {
    let store = try RunSample().store
    let place = #","path":"\#(store)","host":"anna","inode":1"#
    let there = try Self.events(
      [
        Self.event("run-started", 10, store, run: "one", rest: place),
        Self.event("run-finished", 11, store, run: "one", rest: place + #","status":0"#),
      ], as: "anna")
    var choices = FleetPicture.Choices()
    choices.events = [there]
    let picture = try await FleetPicture.look(at: FleetPicture.Search([store]), choices)
    #expect(picture.members.map(\.outcome).sorted() == ["done", "never run"])
  }

  @Test("a machine that finds its stores done each night is remembered with one end")
  func nights() async throws {
    let done = #","outcome":"up to date","status":0"#
    let first = try Self.reported(by: "anna", run: "one", 0, 10, rest: #","outcome":"swapped""#)
    let nights = try (2...5).map {
      try Self.events(
        [
          Self.event(
            "run-finished", $0 * 10, "a.sqlite", run: "",
            rest: #","path":"/x/a.sqlite","host":"anna""# + done)
        ], as: "night-\($0)")
    }
    let picture = try await Self.look([first] + nights)
    #expect(picture.members.map { $0.last?.outcome } == ["swapped"])
    #expect(picture.members.map { $0.last?.run } == ["one"])
  }

  @Test(
    "events without the file's number: a run that goes on from another's version is of its store")
  func olderEvents() async throws {
    let first = try Self.reported(
      by: "anna", run: "one", 0, 10, rest: #","outcome":"swapped","source":"A","target":"A 2""#)
    let second = try Self.reported(
      by: "ben", run: "two", 0, 20, rest: #","outcome":"swapped","source":"A 2","target":"A 3""#)
    #expect(try await Self.look([first, second]).members.map { $0.last?.target } == ["A 3"])
  }

  @Test("a store that one machine refused before it had a run is not hidden by that of another")
  func refusedThere() async throws {
    let refused = try Self.reported(by: "anna", run: "", 3, 5)
    let done = try Self.reported(by: "ben", run: "two", 0, 20)
    let picture = try await Self.look([refused, done])
    #expect(picture.members.map(\.shown) == ["anna:/x/a.sqlite", "ben:/x/a.sqlite"])
    #expect(picture.members.map { $0.last?.status } == [3, 0] && picture.status == 1)
  }

  @Test("a failed run has lost nothing, and of a run without a report no loss is known")
  func losses() async throws {
    let failed = Self.migrated(10, run: "one", lost: #"{"Note.due":3}"#)
      .map {
        $0.replacing(#""status":0,"outcome":"swapped""#, with: #""status":1,"outcome":"invalid""#)
      }
    let one = try await Self.look([try Self.events(failed, as: "failed")])
    #expect(one.losses.isEmpty && one.uncounted == 0)
    let plain = Self.migrated(10, run: "one", lost: "null")
    let other = try await Self.look([try Self.events(plain, as: "plain")])
    #expect(other.losses.isEmpty && other.uncounted == 1)
    let text = other.text(width: 80, style: Style(isOn: false))
    #expect(text.contains("no report has counted them; `run --report` does"))
    #expect(!text.contains("0 B"))
  }

  @Test("a check of the file's own that failed is named, where a rule has its property")
  func broken() async throws {
    let rules = [
      (#"{"entity":"","property":"none","rule":"count(Note): 1"}"#, "none: count(Note): 1"),
      (#"{"entity":"Note","property":"due","rule":"no value"}"#, "Note.due: no value"),
    ]
    for (failure, words) in rules {
      let end = #","status":1,"outcome":"invalid","failures":[\#(failure)]"#
      let event = Self.event("run-finished", 10, "/x/a.sqlite", run: "one", rest: end)
      let picture = try await Self.look([try Self.events([event], as: "broken")])
      #expect(picture.causes.map(\.cause.words) == [words])
    }
  }

  @Test("the stores of a status, a need, an outcome or a cause are a list")
  func list() {
    let picture = FleetPicture([
      Self.damaged("a", page: 1), Self.member("b", 5, "failed", error: "x: b\nBusy.\nWait."),
      Self.member("c", 0, "swapped"), FleetPicture.Member("d"), Self.damaged("e", page: 50),
    ])
    let lists = [
      "3": ["a", "e"], "damaged": ["a", "e"], "to be resumed": ["b"], "failed": ["a", "e"],
      "never run": ["d"], "to be run": ["d"], "-": ["d"], "swapped": ["c"], "done": ["c"],
      "Busy": ["b"], "7": [], "0": ["c"], "5": ["b"], "page 50": ["e"],
    ]
    for (which, stores) in lists {
      #expect(picture.stores(of: which).map(\.store) == stores, "\(which)")
    }
  }

  @Test(
    "a store that was busy before it began has nothing to resume; a remedy's command is the one")
  func commands() {
    let busy = FleetPicture([Self.member("a", 5, "failed", error: "x: a\nBusy.\nWait.")])
    #expect(busy.advice.map(\.command) == [nil])
    var cut = Self.member("b", nil, "interrupted")
    cut.last?.run = "one"
    #expect(FleetPicture(busy.members + [cut]).advice.map(\.command) == ["pipeline resume b"])
    let remedy = "Compare it with `pipeline inspect c --against M`."
    let failed = FleetPicture([Self.member("c", 3, "failed", error: "x: c\nNo model.\n\(remedy)")])
    #expect(failed.advice.map(\.command) == [nil])
    #expect(failed.advice.first?.words.hasSuffix(remedy) == true)
  }

  @Test("what a pipeline file does not say has its reason, and the command that shows the answers")
  func unplanned() {
    func lost(_ name: String) -> String {
      "a.pipeline:8: Note.\(name): no place.\nAnswers:\n  map {}\n  drop {}\nOr give it up."
    }
    let picture = FleetPicture([
      Self.member("a b.sqlite", 2, "failed", error: lost("done")),
      Self.member("c.sqlite", 2, "failed", error: lost("due")),
    ])
    #expect(
      picture.causes.map(\.cause.words).sorted() == [
        "a.pipeline:8: Note.done: no place.", "a.pipeline:8: Note.due: no place.",
      ])
    #expect(picture.advice.map(\.command) == ["pipeline plan a.pipeline 'a b.sqlite'"])
    #expect(picture.advice.first?.words.hasPrefix("2 stores failed, status 2. ") == true)
  }

  @Test("a picture is known again, as a page and as JSON, and other files are none")
  func marks() {
    let picture = FleetPicture([Self.member("a", 0, "swapped")])
    #expect(FleetPicture.isPicture(picture.html.utf8))
    #expect(FleetPicture.isPicture((picture.json + "\n").utf8))
    for other in ["", "{}", "<!DOCTYPE html>\n<p>mine", picture.versionsJSON(models: [:])] {
      #expect(!FleetPicture.isPicture(other.utf8))
    }
  }

  @Test("what is left out stands in the page and in both documents")
  func leftOut() {
    var picture = FleetPicture([Self.member("a", 0, "swapped")])
    picture.leftOut = ["left out: 1 hidden entry, such as <b>"]
    #expect(picture.html.contains("<p class=\"notice\">left out: 1 hidden entry, such as &lt;b"))
    for document in [picture.json, picture.versionsJSON(models: [:])] {
      let found = try? JSONValue(reading: Array(document.utf8))["leftOut"]?.array
      #expect(found == [.string("left out: 1 hidden entry, such as <b>")])
    }
  }

  @Test("a picture in a folder that is looked at says nothing of its stores")
  func ownPicture() async throws {
    let store = try RunSample().store
    let first = try await FleetPicture.look(at: FleetPicture.Search([Self.folder.path]))
    #expect(first.members.map(\.outcome) == ["never run"])
    let file = Self.folder.appending(path: "fleet.json")
    let gone = FleetPicture([Self.member(store, 3, "failed"), Self.member("/x/gone", 0, "swapped")])
    try Data((gone.json + "\n").utf8).write(to: file)
    let second = try await FleetPicture.look(at: FleetPicture.Search([Self.folder.path]))
    #expect(second.members == first.members)
    await #expect(throws: (any Error).self) { try await Self.look([file.path]) }
  }

  @Test("a file of events that says nothing of runs is refused, and so is one that is not there")
  func refused() async throws {
    let file = try Self.events(["a line"], as: "log")
    await #expect(throws: (any Error).self) { try await Self.look([file]) }
    await #expect(throws: (any Error).self) { try await Self.look([file + "-none"]) }
  }

  @Test("the page shows texts as they are, runs no script but its own and loads nothing")
  func page() throws {
    let page = FleetPicture([
      Self.member("<script>alert(1)</script>.sqlite", 3, "failed", error: "a\n<img src=x>\nc"),
      Self.member("b.sqlite", 0, "swapped"),
    ]).html
    #expect(page.components(separatedBy: "<script").count == 3 && !page.contains("<img"))
    #expect(page.components(separatedBy: "'sha256-").count == 3)
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;.sqlite"))
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("<strong>1</strong> failed"))
  }

  @Test("the page lists ten thousand stores, those that failed first, and counts the others")
  func long() throws {
    let done = (0..<10_500).map { Self.member("s\($0).sqlite", 0, "swapped") }
    let page = FleetPicture(done + [Self.damaged("z.sqlite", page: 3)]).html
    let list = try #require(page.components(separatedBy: "Store by store").last)
    #expect(list.components(separatedBy: "<tr ").count == 10_001)
    #expect(list.components(separatedBy: "<tr ")[1].contains("z.sqlite"))
    #expect(page.contains("501 more stores are counted"))
  }

  @Test(
    "the page opens in a browser without an error",
    .enabled(if: Browser.program != nil, "install Chromium: make test-deps"),
    .timeLimit(.minutes(10)))
  func browser() throws {
    let file = Self.folder.appending(path: "fleet.html")
    let pages = String(repeating: "a page, ", count: 99)
    let picture = FleetPicture([
      Self.member("a/1.sqlite", 3, "failed", error: "x\nDamaged: \(pages)\nRestore it."),
      Self.member("b10.sqlite", 0, "swapped"), Self.member("b9.sqlite", 0, "swapped"),
    ])
    let script = """
      const said = [], table = document.querySelector("#stores table");
      const rows = () => [...table.tBodies[0].rows].filter((row) => !row.hidden)
        .map((row) => row.cells[0].textContent).join();
      const form = document.querySelector(".filters");
      const search = (words) => {
        form.elements.search.value = words;
        form.dispatchEvent(new Event("input"));
        said.push(rows(), form.querySelector("output").textContent);
      };
      search("Damaged"); search("swapped"); search("");
      table.querySelector(".sort").click(); said.push(rows());
      const range = document.createRange();
      range.selectNodeContents(table.tBodies[0].rows[0].cells[0]);
      said.push(range.getClientRects().length);
      document.documentElement.dataset.said = said.join("|");
      """
    try Data(Browser.adding(script, to: picture.html).utf8).write(to: file)
    let (shown, talk) = try Browser.show(file)
    #expect(talk.split(separator: "\n").filter { $0.contains("CONSOLE") } == [])
    #expect(shown.contains("<strong>2</strong> done"))
    #expect(
      shown.firstMatch(of: /data-said="([^"]*)"/).map { String($0.1) }
        == "a/1.sqlite|1 of 3 stores|b10.sqlite,b9.sqlite|2 of 3 stores"
        + "|a/1.sqlite,b10.sqlite,b9.sqlite||a/1.sqlite,b9.sqlite,b10.sqlite|1")
  }
}
