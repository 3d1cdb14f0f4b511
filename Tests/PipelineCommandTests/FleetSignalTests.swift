import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Many stores, one of them large, whose command is stopped by signals in the middle of it.
@Suite("Signals to a command of many stores", .temporaryFolder)
struct FleetSignalTests {
  /// A line of `--events`, as far as it is looked at.
  private struct Event: Decodable {
    var event: String
    var run: String
    var store: String
    var stage: String?
    var entity: String?
    var rows: Int
  }

  /// A large store between two small ones, the pipeline file that a manifest names, and the list.
  private static let stores = """
    set -e
    pipeline sample moving-van small --size small > small.txt
    pipeline sample moving-van large > large.txt
    cp -R small/MovingVan.xcdatamodeld small/*.lua .
    cp small/moving-van.pipeline notes.pipeline
    cp small/MovingVan.sqlite a.sqlite
    cp small/MovingVan.sqlite z.sqlite
    printf '%s\\n' a.sqlite large/MovingVan.sqlite z.sqlite > stores.txt
    cp large/MovingVan.sqlite before.sqlite
    """

  /// Whether the large store is, byte for byte, what it was.
  private func isAsBefore() throws -> Bool {
    try shell("cmp before.sqlite large/MovingVan.sqlite && [ ! -s large/MovingVan.sqlite-wal ]")
      .status == 0
  }

  /// Waits until the large store is in the middle of being copied, `count` times in all.
  private static let middle = #"""
    middle() {
      for try in $(seq 1200); do
        begun=$(grep -c 'run-started.*large/MovingVan' pod.log) || true
        if [ "$begun" -ge "$1" ]; then
          sed -n '/run-started.*large.MovingVan/h;//!H;$x;$p' pod.log |
            grep -q 'MovingVan.sqlite","stage":"transform","entity":"Item","rows":[1-9]' && return
        fi
        sleep 0.05
      done
      echo "the large store was not begun" >&2
      exit 1
    }
    """#

  private static var large: String {
    TemporaryFolder.url.appending(path: "large/MovingVan.sqlite").path
  }

  private func shell(_ lines: String...) throws -> Tool.Outcome {
    try Tool.shell(lines.joined(separator: "\n"))
  }

  private func events() throws -> [Event] {
    let text = try String(
      contentsOf: TemporaryFolder.url.appending(path: "pod.log"), encoding: .utf8)
    // The table of a run that came to its end stands between the events.
    return text.split(separator: "\n").filter { $0.hasPrefix("{\"event\"") }.compactMap {
      try? JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }

  private func isNew(_ path: String) throws -> Bool {
    let sql = "SELECT count(*) FROM sqlite_master WHERE name = 'ZPHOTO'"
    return try StoreRows.read(sql, at: path) == ["1"]
  }

  /// The large store was one run, which resumed where it was; each small one had one run as well.
  ///
  /// `inOrder` of its ends were in order, so that nothing it had reported was done again.
  private func checkRuns(begun: Int, inOrder: Int) throws {
    let events = try events()
    for name in ["a.sqlite", "z.sqlite"] {
      let path = TemporaryFolder.url.appending(path: name).path
      #expect(try isNew(path), "\(name)")
      #expect(events.filter { $0.event == "swapped" && $0.store == name }.count == 1, "\(name)")
    }
    #expect(try isNew(Self.large))
    let large = events.filter { $0.store.hasSuffix("MovingVan.sqlite") }
    #expect(Set(large.map(\.run)).count == 1)
    #expect(large.filter { $0.event == "swapped" }.count == 1)
    let starts = large.indices.filter { large[$0].event == "run-started" }
    #expect(starts.count == begun)
    for (end, (start, next)) in zip(starts, starts.dropFirst()).enumerated() {
      let (before, after) = (rows(large[start..<next]), rows(large[next...]))
      let (last, first) = (try #require(before.last), try #require(after.first))
      #expect(last > 0 && first > 0)
      if end < inOrder { #expect(first >= last) }
    }
  }

  private func rows(_ part: ArraySlice<Event>) -> [Int] {
    part.filter { $0.event == "progress" && $0.entity == "Item" && $0.stage == "transform" }
      .map(\.rows)
  }

  @Test(
    "a pod of the manifest ends within its grace, another is killed after it, a third finishes",
    .enabled(if: Tool.says("python3 -c 'import yaml'"), "python3 with yaml is not installed"))
  func pod() throws {
    try #require(try shell(Self.stores).status == 0)
    let file = ManyStoresPageTests.project.appending(path: "samples/Fleet/indexed-job.yaml").path
    // As the engine does it: SIGTERM, and SIGKILL when the grace is over.
    let pod = #"""
      python3 - '\#(file)' > command <<'END'
      import sys, yaml
      spec = yaml.safe_load(open(sys.argv[1]))["spec"]["template"]["spec"]
      print(spec["terminationGracePeriodSeconds"], file=open("grace", "w"))
      print(spec["containers"][0]["command"][2])
      END
      export JOB_COMPLETION_INDEX=0 PARTS=1
      pod() { sh -c "$(cat command)" >> pod.log 2>> pod.errors & pid=$!; }
      """#
    let evicted = try shell(
      Self.middle, pod,
      """
      pod
      middle 1
      kill -TERM $pid
      (sleep "$(cat grace)"; kill -KILL $pid) 2>/dev/null &
      grace=$!
      status=0
      wait $pid || status=$?
      kill $grace
      exit $status
      """)
    #expect(evicted.status == 143, "\(evicted)")
    #expect(try isAsBefore())
    let end = try shell("grep run-finished pod.log | tail -n 1").output
    #expect(end.contains(#""status":143"#) && end.contains("can be resumed"), "\(end)")
    let record = try shell("cat large/MovingVan.sqlite.pipeline/run/record.json").output
    #expect(record.contains(#""status": 143"#), "\(record)")
    #expect(record.contains(#""outcome": "interrupted""#), "\(record)")
    // A node that hangs hears no SIGTERM.
    let killed = try shell(
      Self.middle, pod,
      """
      pod
      middle 2
      kill -STOP $pid
      kill -TERM $pid
      kill -KILL $pid
      wait $pid
      """)
    #expect(killed.status == 137, "\(killed)")
    #expect(try isAsBefore())
    let last = try shell(pod, "pod", "wait $pid")
    #expect(last.status == 0, "\(last)")
    try checkRuns(begun: 3, inOrder: 1)
  }

  @Test("Ctrl-C ends many stores in the middle of a large one, and the same command resumes it")
  func interrupted() throws {
    try #require(try shell(Self.stores).status == 0)
    // A shell has its jobs ignore Ctrl-C; Perl takes that back.
    let command = "pipeline run notes.pipeline --stores-from stores.txt --jobs 2 --events pod.log"
    let stopped = try shell(
      Self.middle,
      """
      : > pod.log
      (middle 1; date +%s.%N > asked; kill -INT $(cat pid)) &
      sh -c 'echo $$ > pid; exec perl -e "\\$SIG{INT} = q(DEFAULT); exec @ARGV" \(command)'
      status=$?
      date +%s.%N > ended
      exit $status
      """)
    #expect(stopped.status == 130, "\(stopped)")
    #expect(stopped.errors.contains("Each store is migrated or unchanged"), "\(stopped)")
    #expect(try isAsBefore())
    let seconds = try shell("paste -d ' ' asked ended | awk '{ print $2 - $1 }'").output
    print("Ctrl-C of many stores, seconds until the end: \(seconds)")
    let resumed = try shell(command)
    #expect(resumed.status == 0, "\(resumed)")
    try checkRuns(begun: 2, inOrder: 1)
  }

  @Test("a list that another program is still writing does not hold a signal up")
  func slowList() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let stopped = try shell(
      """
      mkfifo list
      sleep 60 > list &
      writer=$!
      pipeline run notes.pipeline --stores-from - < list &
      pid=$!
      sleep 2
      kill -TERM $pid
      wait $pid
      status=$?
      kill $writer && echo in time
      exit $status
      """)
    #expect(stopped.status == 143 && stopped.output == "in time\n", "\(stopped)")
  }

  @Test(
    "stores whose command is killed at random moments are old or new, and each ends new, once",
    .enabled(if: Tool.says("python3 -c 'import sqlite3'"), "python3 with sqlite3 is not installed"))
  func killed() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let script = ManyStoresPageTests.project.appending(path: "Tests/Fleet/fleet.py").path
    let said = try shell(
      """
      python3 '\(script)' --pipeline "$(command -v pipeline)" --file notes.pipeline \\
        --store Notes.sqlite --folder stores --stores 200 --every 2 --wait 30
      """)
    #expect(said.status == 0, "\(said)")
    #expect(said.output.contains("200 stores in"), "\(said)")
    #expect(said.output.contains("pipeline fleet: 200 stores, 200 done"), "\(said)")
    print(said.output)
  }
}
