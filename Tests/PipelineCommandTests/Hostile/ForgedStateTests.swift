import CoreDataStore
import Foundation
import OperatingSystem
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

/// State files that are not what a run wrote, or no longer what is true.
@Suite("A state file that cannot be believed", .temporaryFolder)
struct ForgedStateTests {
  private static var home: URL { TemporaryFolder.url.appending(path: "home") }
  private static var store: String { home.appending(path: "Notes.sqlite").path }
  /// What is not the run's: a backup that the user made, and a store.
  private static var outside: URL { TemporaryFolder.url.appending(path: "outside") }
  private static let run = "pipeline run home/notes.pipeline home/Notes.sqlite"

  private static func lay() throws {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
    try NotesSample.lay(in: home)
  }

  /// Changes what the run's state says.
  private static func forge(_ change: (inout RunState) throws -> Void) throws {
    let folder = try WorkFolder(store: store)
    var state = try #require(try RunState.read(folder))
    try change(&state)
    try state.write(folder)
  }

  private static func rows(_ sql: String) throws -> [String] { try StoreRows.read(sql, at: store) }

  private static func isNew() throws -> Bool {
    try rows("SELECT count(*) FROM sqlite_master WHERE name = 'ZLABEL'") == ["1"]
  }

  // The old store put back after the run was killed behind its exchange.

  /// Leaves a run that was killed in phase swapped, and puts the old store in its place.
  private static func putBack(_ way: String) throws {
    try lay()
    #expect(try Tool.shell("cp home/Notes.sqlite kept && \(run)").status == 0)
    try forge { $0.phase = .swapped }
    let line =
      way == "copied" ? "cat kept > home/Notes.sqlite" : "cp kept x && mv x home/Notes.sqlite"
    #expect(try Tool.shell(line).status == 0)
    #expect(try !isNew())
  }

  private static let why = "does not carry the run's mark"

  @Test(
    "of a store that was put back: the command starts over, and says why",
    arguments: ["copied", "moved"], ["run home/notes.pipeline", "resume"])
  func startsOver(way: String, command: String) throws {
    try Self.putBack(way)
    let before = try Data(contentsOf: TemporaryFolder.url.appending(path: "kept"))
    let end = try Tool.shell("pipeline \(command) home/Notes.sqlite")
    #expect(end.status == 0, "\(end)")
    #expect((end.errors + end.output).contains(Self.why), "\(end)")
    #expect(try Self.isNew())
    #expect(try Self.rows("SELECT Z_PK, ZPRIORITY FROM ZNOTE") == ["1|1", "2|0", "3|-1"])
    // What was put back is kept, as any store that is replaced.
    let backups = try StoreBackup.list(WorkFolder(store: Self.store))
    #expect(backups.count == 2)
    for backup in backups {
      try backup.verify()
      #expect(try Data(contentsOf: URL(filePath: backup.mainPath)) == before)
    }
  }

  @Test("status and abandon say the same, and leave the store alone")
  func reported() throws {
    try Self.putBack("copied")
    let bytes = try Data(contentsOf: URL(filePath: Self.store))
    let status = try Tool.shell("pipeline status home/Notes.sqlite")
    #expect(status.status == 0)
    #expect(status.output.contains(Self.why), "\(status)")
    let json = try Tool.shell("pipeline status home/Notes.sqlite --json")
    #expect(json.output.contains(Self.why), "\(json)")
    let end = try Tool.shell("pipeline abandon home/Notes.sqlite")
    #expect(end.status == 0, "\(end)")
    #expect((end.errors + end.output).contains(Self.why), "\(end)")
    #expect(!end.output.contains("had replaced"), "\(end)")
    #expect(try Data(contentsOf: URL(filePath: Self.store)) == bytes)
    #expect(try StoreBackup.list(WorkFolder(store: Self.store)).count == 1)
    #expect(try Tool.shell(Self.run).status == 0)
    #expect(try Self.isNew())
  }

  @Test("of a store that an application has written to since: the run is over, and nothing is lost")
  func written() throws {
    try Self.lay()
    #expect(try Tool.shell(Self.run).status == 0)
    try Self.forge { $0.phase = .swapped }
    try SampleStore.change(Self.store, by: "UPDATE ZNOTE SET ZTITLE = 'mine' WHERE Z_PK = 1")
    let end = try Tool.shell(Self.run)
    #expect(end.status == 0, "\(end)")
    #expect(!end.errors.contains(Self.why), "\(end)")
    #expect(try Self.rows("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 1") == ["mine"])
  }

  // What leads elsewhere.

  /// What an attacker writes into a state file.
  enum Forgery: String, CaseIterable, Sendable {
    case climbingRun = "../../../../outside/run"
    case rootedRun = "/outside-run"
    case runInFolder = "a/b"
    case parent = ".."
    case empty = ""
    case control = "a\u{1b}[31m\nb"
    case longRun
    case backupElsewhere
    case climbingBackup
    case backupNowhere
    case otherStore
    case climbingBlob
    case steps
    case negativeStep

    fileprivate func forge(_ state: inout RunState) throws {
      let outside = ForgedStateTests.outside
      switch self {
      case .climbingRun, .rootedRun, .runInFolder, .parent, .empty, .control: state.run = rawValue
      case .longRun: state.run = String(repeating: "x", count: 5000)
      case .backupElsewhere:
        let backup = try StoreBackup.read(outside.appending(path: "backup").path)
        state.backup = .init(path: backup.path, manifest: backup.digest)
      case .climbingBackup:
        let backup = try StoreBackup.read(outside.appending(path: "backup").path)
        let backups = try WorkFolder(store: ForgedStateTests.store).backups
        state.backup = .init(
          path: "\(backups)/../../../outside/backup", manifest: backup.digest)
      case .backupNowhere:
        state.backup = .init(path: outside.appending(path: "new").path, manifest: "00")
      case .otherStore: state.store = outside.appending(path: "Other.sqlite").path
      case .climbingBlob:
        state.blobsToAdd = ["../../../outside/added"]
        state.blobsToDrop = ["../../../outside/Other.sqlite"]
      case .steps: (state.step, state.steps) = (7, 9)
      case .negativeStep: (state.step, state.steps) = (-3, -1)
      }
    }
  }

  @Test(
    "that leads elsewhere: nothing is made or changed outside the work folder, not even a folder",
    arguments: Forgery.allCases, [RunState.Phase.copying, .swapping])
  func elsewhere(forgery: Forgery, phase: RunState.Phase) throws {
    try Self.lay()
    #expect(
      try Tool.shell(
        """
        mkdir outside && cp home/Notes.sqlite outside/Other.sqlite &&
        pipeline backup home/Notes.sqlite outside/backup --quiet &&
        \(Self.run) --until validate --quiet
        """
      ).status == 0)
    try Self.forge {
      if phase > .copying { try StagedStore.seal(WorkFolder(store: Self.store), &$0) }
      $0.phase = phase
      try forgery.forge(&$0)
    }
    let old = try StoreRows.tables(at: Self.store)
    let before = try Self.surroundings()
    for command in ["pipeline status home/Notes.sqlite", Self.run] {
      let end = try Tool.shell(command)
      #expect([0, 2, 3, 5].contains(end.status), "\(end)")
      #expect(try Self.surroundings() == before, "\(end)")
      #expect(try Self.isNew() || StoreRows.tables(at: Self.store) == old, "\(end)")
    }
    let wasNew = try Self.isNew()
    let end = try Tool.shell("pipeline abandon home/Notes.sqlite")
    #expect(end.status == 0, "\(end)")
    #expect(try Self.surroundings() == before, "\(end)")
    // Given up, it does not stand in the way.
    let again = try Tool.shell(Self.run)
    #expect(again.status == 0, "\(again)")
    #expect(try Self.isNew())
    #expect(try Self.surroundings() == before, "\(again)")
    // The old store is in a backup of the store's own.
    let kept = try StoreBackup.list(WorkFolder(store: Self.store)).contains {
      try StoreRows.tables(at: $0.mainPath) == old
    }
    #expect(kept, "new before abandon: \(wasNew)")
  }

  /// All files and folders but the store and its work folder, with their content.
  private static func surroundings() throws -> [String: Data?] {
    let root = URL(filePath: try FileSystem.realPath(TemporaryFolder.url.path))
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    let others = names.filter { !$0.hasPrefix("home/Notes.sqlite") }
    return Dictionary(
      uniqueKeysWithValues: others.map { ($0, try? Data(contentsOf: root.appending(path: $0))) })
  }

  @Test("that is of another store: it is refused, and neither store is touched")
  func anothersState() throws {
    try Self.lay()
    #expect(try Tool.shell("\(Self.run) --until validate && cp -R home other").status == 0)
    let other = TemporaryFolder.url.appending(path: "other/Notes.sqlite")
    let before = try Data(contentsOf: other)
    let end = try Tool.shell("pipeline run other/notes.pipeline other/Notes.sqlite")
    #expect(end.status == 3, "\(end)")
    #expect(end.errors.contains("another store"), "\(end)")
    #expect(try Data(contentsOf: other) == before)
    #expect(try !Self.isNew())
    #expect(try Tool.shell(Self.run).status == 0)
  }

  @Test(
    "that is no file: the status is 3, at once, and the store stays",
    arguments: ["mkfifo", "mkdir", "ln -s ../../../outside/state"])
  func noFile(make: String) throws {
    try Self.lay()
    #expect(try Tool.shell("mkdir outside && \(Self.run) --until copy").status == 0)
    let state = "home/Notes.sqlite.pipeline/run/state.json"
    #expect(try Tool.shell("rm \(state) && \(make) \(state)").status == 0)
    let before = try Data(contentsOf: URL(filePath: Self.store))
    let end = try Tool.shell(Self.run)
    #expect(end.status == 3, "\(end)")
    #expect(try Data(contentsOf: URL(filePath: Self.store)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: Self.outside.path) == [])
    #expect(try Tool.shell("pipeline abandon home/Notes.sqlite").status == 0)
    #expect(try Tool.shell(Self.run).status == 0)
  }

  @Test(
    "whose command is about another store or writes elsewhere: resume refuses it",
    arguments: [
      "restore --force -- ROOT/outside/backup ROOT/outside/New.sqlite",
      "run --output=ROOT/outside/New.sqlite -- ROOT/home/notes.pipeline ROOT/home/Notes.sqlite",
      "run --report=ROOT/outside/new.html -- ROOT/home/notes.pipeline ROOT/home/Notes.sqlite",
      "run --work=ROOT/outside/work -- ROOT/home/notes.pipeline ROOT/home/Notes.sqlite",
      "run -- ROOT/home/notes.pipeline ROOT/outside/Other.sqlite",
      "run --stores-from=ROOT/list -- ROOT/home/notes.pipeline ROOT/home/Notes.sqlite",
      "run -- ROOT/home/evil.pipeline ROOT/home/Notes.sqlite", "retry --",
    ])
  func forgedCommand(words: String) throws {
    try Self.lay()
    #expect(
      try Tool.shell(
        """
        mkdir outside && cp home/Notes.sqlite outside/Other.sqlite &&
        pipeline backup home/Notes.sqlite outside/backup --quiet &&
        echo outside/Other.sqlite > list &&
        (cat home/notes.pipeline; echo 'stage "report" { to = "../outside/new.html" }') \\
          > home/evil.pipeline &&
        \(Self.run) --until validate --quiet
        """
      ).status == 0)
    let root = try FileSystem.realPath(TemporaryFolder.url.path)
    try Self.forge {
      $0.command = words.replacing("ROOT", with: root).split(separator: " ").map(String.init)
    }
    let before = try Self.surroundings()
    let end = try Tool.shell("pipeline resume home/Notes.sqlite")
    #expect(end.status == 2, "\(end)")
    #expect(end.errors.contains("can be forged"), "\(end)")
    #expect(try Self.surroundings() == before, "\(end)")
    #expect(try !Self.isNew())
    // The same command again resumes the run.
    #expect(try Tool.shell(Self.run).status == 0)
    #expect(try Self.isNew())
  }

  @Test("of a store that was put back: the stage backup takes the copy it has made before")
  func backupStage() throws {
    try Self.lay()
    let file = Self.home.appending(path: "notes.pipeline")
    let text = try String(contentsOf: file, encoding: .utf8)
    let swap = try #require(text.firstRange(of: "stage \"swap\""))
    try text.replacingCharacters(in: swap, with: "stage \"backup\" { to = \"b\" }\nstage \"swap\"")
      .write(to: file, atomically: true, encoding: .utf8)
    #expect(try Tool.shell("cp home/Notes.sqlite kept && \(Self.run)").status == 0)
    try Self.forge { $0.phase = .swapped }
    #expect(try Tool.shell("cat kept > home/Notes.sqlite").status == 0)
    let end = try Tool.shell(Self.run)
    #expect(end.status == 0, "\(end)")
    #expect(end.errors.contains(Self.why), "\(end)")
    #expect(try Self.isNew())
  }
}
