import Foundation
import TestSupport
import Testing

/// The job array of `samples/Fleet`, submitted to Slurm itself.
@Suite("Many stores as a Slurm array", .temporaryFolder)
struct SlurmTests {
  @Test(
    "all stores are migrated but the damaged one; a task that is queued again resumes",
    .enabled(if: Slurm.isThere, "slurm-wlm or munge is not installed"))
  func array() throws {
    let cluster = try Slurm(in: TemporaryFolder.url)
    defer { cluster.stop() }
    try #require(try cluster.shell(Self.stores).status == 0)
    let script = ManyStoresPageTests.project.appending(path: "samples/Fleet/array.slurm").path
    let outcome = try cluster.shell(
      "script='\(script)'; \(Self.submit)\n\(Self.requeue)\n\(Self.wait)")
    try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")

    let ends = try events("part-*.events").filter { $0.event == "run-finished" }
    let done = Set(ends.filter { $0.status == 0 }.map(\.store.lastPart))
    #expect(done.count == 199)
    #expect(ends.filter { $0.status == 3 }.map(\.store.lastPart) == ["s77.sqlite"])
    #expect(ends.filter { $0.status == 5 }.map(\.store.lastPart) == ["s8.sqlite"])
    // Seven tasks are done, and one has failed because of its damaged store. Two began twice: the
    // one that was queued again, and the one that queued itself again because a store was busy.
    let states = try cluster.shell("cat states").output.split(separator: "\n")
    let parts = (1...8).map { part in
      "part \(part): JobState=\(part == 5 ? "FAILED" : "COMPLETED") "
        + "Restarts=\([5, 8].contains(part) ? 1 : 0) ExitCode=\(part == 5 ? 3 : 0):0"
    }
    let isAsMeant = states.map(String.init) == parts
    let account = isAsMeant ? "" : try cluster.shell(Self.account).output
    #expect(isAsMeant, "\(states)\n\(account)")

    let large = try events("part-5.events").filter { $0.store.lastPart == "MovingVan.sqlite" }
    #expect(large.filter { $0.event == "run-started" }.count == 2)
    #expect(Set(large.map(\.run)).count == 1)
    let again = try #require(large.lastIndex { $0.event == "run-started" })
    let rows = { (part: ArraySlice<Event>) in
      part.filter { $0.event == "progress" && $0.entity == "Item" && $0.stage == "transform" }
        .map(\.rows)
    }
    let (before, after) = (rows(large[..<again]), rows(large[again...]))
    let (left, resumed) = (try #require(before.last), try #require(after.first))
    #expect(resumed >= left && left > 0)
    let logs = try cluster.shell("tail -qn 1 part-*.log").output
    print("\(logs)\(states.joined(separator: "\n"))")
    print("part 5 was queued again at \(left) pictures of a store, and resumed at \(resumed)")
  }

  /// A line of `--events`, as far as it is looked at.
  private struct Event: Decodable {
    var event: String
    var run: String
    var store: String
    var stage: String?
    var entity: String?
    var rows: Int
    var status: Int32?
  }

  private func events(_ files: String) throws -> [Event] {
    try Tool.shell("cat \(files)").output.split(separator: "\n").map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }

  /// 200 stores, of which the fifth is large and the 77th is damaged.
  private static let stores = """
    set -e
    pipeline sample moving-van small --size small > small.txt
    pipeline sample moving-van large > large.txt
    cp -R small/MovingVan.xcdatamodeld small/moving-van.pipeline small/*.lua .
    mkdir stores
    for n in $(seq 200); do cp small/MovingVan.sqlite stores/s$n.sqlite; done
    echo damaged > stores/s77.sqlite
    for n in $(seq 200); do echo "$PWD/stores/s$n.sqlite"; done |
      sed "5s|.*|$PWD/large/MovingVan.sqlite|" > stores.txt
    """

  /// What the last part and the cluster say of themselves, should a task end otherwise.
  private static let account = #"""
    cat part-8.log; grep '"event":"run-' part-8.events | tail -n 30
    tail -n 100 "$(cat cluster)/node.log"; grep '_8' "$(cat cluster)/controller.log"
    """#

  /// The last part finds a store busy until its run has said so.
  private static let submit = """
    mkdir -p stores/s8.sqlite.pipeline/run
    flock stores/s8.sqlite.pipeline/run/lock sh -c \
      'until grep -qs "status.:5" part-8.events; do sleep 0.1; done' > /dev/null 2>&1 &
    job=$(sbatch --parsable --array=1-8 "$script" moving-van.pipeline stores.txt 8)
    """

  /// Queues a task again in the middle of its large store; Slurm would let it wait for two minutes.
  ///
  /// A task must not begin within the second in which it was killed: slurmd takes the new start for
  /// the old one ("already killed, do not launch batch job"), and the task ends with status 1.
  private static let requeue = #"""
    middle='MovingVan.sqlite","stage":"transform","entity":"Item","rows":[1-9]'
    for try in $(seq 600); do
      grep -q "$middle" part-5.events 2>/dev/null && break
      sleep 0.1
    done
    scontrol requeue "${job}_5"
    for try in $(seq 300); do
      squeue -h -t PD -o %K | grep -qx 5 && break
      sleep 0.1
    done
    sleep 2
    scontrol update jobid="${job}_5" starttime=now
    """#

  private static let wait = #"""
    for try in $(seq 1200); do
      [ -n "$(squeue -h)" ] || break
      if squeue -h -t PD -o '%K %r' | grep -qx '8 BeginTime'; then
        sleep 2
        scontrol update jobid="${job}_8" starttime=now
      fi
      sleep 0.25
    done
    [ -z "$(squeue -h)" ] || { squeue; exit 1; }
    for part in $(seq 8); do
      echo "part $part:" $(scontrol show job "${job}_$part" |
        grep -o 'JobState=[A-Z]*\|Restarts=[0-9]*\|ExitCode=[0-9:]*')
    done > states
    """#
}

extension String {
  /// What stands behind the last slash.
  fileprivate var lastPart: String { String(split(separator: "/").last ?? "") }
}
