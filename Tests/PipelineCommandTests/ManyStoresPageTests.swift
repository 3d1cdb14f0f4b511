import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Runs the commands of the page ManyStores.md, and what it says engines can be given.
@Suite("The page of many stores", .temporaryFolder)
struct ManyStoresPageTests {
  static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  @Test("what the page shows is what happens") func page() throws {
    let page = Self.project.appending(
      path: "Sources/StorePipeline/StorePipeline.docc/ManyStores.md")
    let transcript = Transcript(try String(contentsOf: page, encoding: .utf8))
    #expect(transcript.steps.count > 10)
    for failure in try transcript.failures(in: TemporaryFolder.url) {
      Issue.record("ManyStores.md is not what happens:\n\(failure)")
    }
  }

  @Test("a second run of the same store reports that it is busy") func busy() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let outcome = try Tool.shell(
      """
      mkdir -p Notes.sqlite.pipeline/run
      : > Notes.sqlite.pipeline/run/lock
      flock Notes.sqlite.pipeline/run/lock pipeline run notes.pipeline Notes.sqlite
      """)
    #expect(outcome.status == 5)
  }

  @Test("a part with a damaged store and a busy one ends with the status that engines try again")
  func mixed() throws {
    try lay(["a.sqlite", "busy.sqlite", "damaged.sqlite"])
    let outcome = try Tool.shell(
      """
      echo no > damaged.sqlite; mkdir -p busy.sqlite.pipeline/run
      flock busy.sqlite.pipeline/run/lock \
        pipeline run notes.pipeline --stores-from stores.txt --shard 1/1 -q; echo "$?"
      pipeline run notes.pipeline --stores-from stores.txt --shard 1/1 -q; echo "$?"
      """)
    let ends = outcome.output.split(separator: "\n").map(String.init).filter { $0.count == 1 }
    #expect(ends == ["5", "3"], "\(outcome)")
    #expect(try version("busy.sqlite") == "Notes 2")
  }

  @Test("events and the table can share a log, which a second try continues")
  func sharedLog() throws {
    try lay(["a.sqlite", "bad.sqlite"])
    let outcome = try Tool.shell(
      """
      echo no > bad.sqlite; echo 'the pod begins' > again.log
      run() { pipeline run notes.pipeline --stores-from stores.txt -q --events /dev/stdout; }
      run > new.log 2>&1; run >> again.log 2>&1; run >> again.log 2>&1; echo "$?"
      for log in new again; do
        pipeline fleet --events $log.log | head -n 1; grep -c run-finished $log.log
        grep -c '2 stores, .*: 1 done, 1 failed' $log.log
      done
      """)
    let picture = "2 stores: 1 done, 1 failed"
    #expect(outcome.output == "3\n\(picture)\n2\n1\n\(picture)\n4\n2\n", "\(outcome)")
  }

  @Test("an array with fewer tasks than parts says that stores are left")
  func smallArray() throws {
    try lay(["a.sqlite", "b.sqlite"])
    let script = Self.project.appending(path: "samples/Fleet/array.slurm").path
    let outcome = try Tool.shell(
      """
      export SLURM_ARRAY_JOB_ID=40 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MAX=1
      sh '\(script)' notes.pipeline stores.txt 2
      """)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.contains("the array ends at 1 of 2 parts"))
  }

  @Test("a task of an array queues itself again, and no other task", arguments: [4, 5])
  func requeue(status: Int) throws {
    let script = Self.project.appending(path: "samples/Fleet/array.slurm").path
    // The last task to begin has the number of the whole array as that of its job.
    let outcome = try Tool.shell(
      """
      mkdir bin; printf '#!/bin/sh\\nexit \(status)\\n' > bin/pipeline
      printf '#!/bin/sh\\necho "$@"\\n' > bin/scontrol; chmod +x bin/*
      export SLURM_ARRAY_JOB_ID=40 SLURM_JOB_ID=40 SLURM_ARRAY_TASK_ID=2 PATH="$PWD/bin:$PATH"
      sh '\(script)' notes.pipeline stores.txt 2
      SLURM_RESTART_COUNT=3 sh '\(script)' notes.pipeline stores.txt 2
      """)
    #expect(outcome.output == "requeue 40_2\n", "\(outcome)")
    #expect(outcome.status == Int32(status))
  }

  @Test("a task of an array that is stopped is not queued again, and says how it is resumed")
  func stoppedTask() throws {
    let script = Self.project.appending(path: "samples/Fleet/array.slurm").path
    let outcome = try Tool.shell(
      """
      mkdir bin; printf '#!/bin/sh\\nexit 143\\n' > bin/pipeline
      printf '#!/bin/sh\\necho "$@"\\n' > bin/scontrol; chmod +x bin/*
      export SLURM_ARRAY_JOB_ID=40 SLURM_ARRAY_TASK_ID=2 PATH="$PWD/bin:$PATH"
      sh '\(script)' notes.pipeline stores.txt 2
      """)
    #expect(outcome.status == 143 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains("part 2 was stopped before its end"), "\(outcome)")
    #expect(outcome.errors.contains("--array=2"), "\(outcome)")
  }

  private static let engines: [(name: String, index: String)] = [
    ("array.slurm", "SLURM_ARRAY_JOB_ID=40 SLURM_ARRAY_TASK_ID=2"),
    ("indexed-job.yaml", "JOB_COMPLETION_INDEX=1"),
  ]

  @Test(
    "what an engine is given migrates the store whose number it is given",
    .enabled(if: Tool.says("python3 -c 'import yaml'"), "python3 with yaml is not installed"),
    arguments: engines)
  func engine(name: String, index: String) throws {
    try lay(["a.sqlite", "b c.sqlite"])
    let file = Self.project.appending(path: "samples/Fleet/\(name)").path
    let line =
      name.hasSuffix(".yaml")
      ? "sh -c \"$(python3 -c \(Self.command) '\(file)')\""
      : "sh '\(file)' notes.pipeline stores.txt 2"
    let outcome = try Tool.shell("export \(index) PARTS=2; \(line)")
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    #expect(try version("a.sqlite") == "Notes")
    #expect(try version("b c.sqlite") == "Notes 2")
  }

  private static let mistakes = [
    "s/completionMode/completionmode/", "s/completions: 64/completions: many/",
    "s/values: .1, 2, 3./values: 1/", "s/, status: .True.//",
  ]

  @Test(
    "the manifest is as Kubernetes' published schema says, and mistakes in it are found",
    .enabled(if: Tool.says("python3 -c 'import yaml'"), "python3 with yaml is not installed"))
  func manifest() throws {
    let folder = Self.project.appending(path: "Tests/PipelineCommandTests/Kubernetes").path
    let file = Self.project.appending(path: "samples/Fleet/indexed-job.yaml").path
    let validate = "python3 '\(folder)/validate.py' '\(folder)/job-v1.31.json'"
    let said = try Tool.shell("\(validate) '\(file)'")
    #expect(said == Tool.Outcome(output: "\n", errors: "", status: 0))
    for mistake in Self.mistakes {
      let said = try Tool.shell("sed '\(mistake)' '\(file)' > job.yaml; \(validate) job.yaml")
      #expect(said.status == 1 && said.output.hasPrefix("job."), "\(mistake): \(said)")
    }
  }

  @Test("the pods of the manifest have the image's user, and may write what the volume holds")
  func podUser() throws {
    let image = Self.project.appending(path: "Dockerfile").path
    let manifest = Self.project.appending(path: "samples/Fleet/indexed-job.yaml").path
    let said = try Tool.shell(
      """
      user=$(sed -n 's/^USER \\([0-9]*\\):\\1$/\\1/p' '\(image)')
      grep -c "runAsUser: $user, runAsGroup: $user, fsGroup: $user }" '\(manifest)'
      # More than there are completions would be refused.
      grep -c maxFailedIndexes '\(manifest)'
      """)
    #expect(said.output == "1\n0\n", "\(said)")
  }

  /// Reads a manifest and prints the shell text of its container.
  private static let command = """
    'import sys, yaml
    job = yaml.safe_load(open(sys.argv[1]))
    container = job["spec"]["template"]["spec"]["containers"][0]
    assert job["kind"] == "Job" and job["spec"]["completionMode"] == "Indexed"
    print(container["command"][2])'
    """

  /// Puts the sample into the folder, and its store under several names, which are listed.
  private func lay(_ names: [String]) throws {
    let folder = TemporaryFolder.url
    try NotesSample.lay(in: folder)
    for name in names {
      try FileManager.default.copyItem(
        at: folder.appending(path: "Notes.sqlite"), to: folder.appending(path: name))
    }
    try Data((names.joined(separator: "\n") + "\n").utf8)
      .write(to: folder.appending(path: "stores.txt"))
  }

  private func version(_ name: String) throws -> String? {
    let line = "pipeline inspect '\(name)' --models Notes.xcdatamodeld | sed -n 's/^version *//p'"
    return try Tool.shell(line).output.split(separator: ",").first.map(String.init)
  }
}

/// The script over-hosts, with two servers of this machine as hosts.
@Suite("Many stores on several hosts", .temporaryFolder)
struct OverHostsTests {
  static let needs =
    ["parallel", "ssh", "ssh-keygen", "python3"].allSatisfy(Tool.isThere)
    && FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd")

  @Test(
    "each store is migrated once, and what failed is run again",
    .enabled(if: needs, "GNU parallel or sshd is not installed"))
  func overHosts() throws {
    let folder = TemporaryFolder.url
    try NotesSample.lay(in: folder)
    let hosts = try Hosts(in: folder)
    defer { hosts.stop() }
    let script = ManyStoresPageTests.project.appending(path: "samples/Fleet/over-hosts").path
    try hosts.shell(
      "for n in a b c 'd e'; do cp Notes.sqlite \"$n.sqlite\"; done; echo no > bad.sqlite")
    try hosts.shell("ls *.sqlite | grep -v Notes > stores.txt")
    let first = try hosts.shell("'\(script)' notes.pipeline stores.txt 1/anna,1/ben")
    #expect(first.status == 3, "\(first)")
    let log = try hosts.log()
    #expect(log.count == 5)
    #expect(log.filter { $0.status == 0 }.count == 4)
    #expect(log.filter { $0.status == 3 }.count == 1)
    #expect(Set(log.map(\.host)).isSubset(of: ["anna", "ben"]))
    try hosts.shell("cp Notes.sqlite bad.sqlite")
    let second = try hosts.shell("'\(script)' notes.pipeline stores.txt 1/anna,1/ben")
    #expect(second.status == 0, "\(second)")
    #expect(try hosts.log().map(\.status) == [0, 0, 0, 0, 0])
    let models = "--models Notes.xcdatamodeld"
    let versions = try hosts.shell(
      "for s in a b c 'd e' bad; do pipeline inspect \"$s.sqlite\" \(models) | grep ^version; done")
    #expect(versions.output.components(separatedBy: "Notes 2,").count == 6)
  }

  /// Makes an `ssh` that does what a server does, and a host, ben, that does not answer.
  ///
  /// The words are one line of a shell, which runs in a folder of its own.
  private static let fakeSSH = #"""
    mkdir -p bin home
    cat > bin/ssh <<'END'
    #!/bin/sh
    folder=${0%/bin/ssh}
    while [ $# -gt 0 ]; do
      case $1 in
      -[lpio]) shift 2 ;;
      -*) shift ;;
      *) host=$1; shift; break ;;
      esac
    done
    [ "$1" != -- ] || shift
    echo "$host" >> "$folder/hosts"
    if [ "$host" = ben ]; then
      echo "ssh: connect to host ben port 22: No route to host" >&2
      exit 255
    fi
    cd "$folder/home"
    export SHELL=/bin/sh HOME="$folder/home"
    exec sh -c "$*"
    END
    chmod +x bin/ssh
    PATH="$PWD/bin:$PATH"
    """#

  @Test(
    "a host that does not answer leaves its jobs to the other one, and alone it counts as 4",
    .enabled(if: Tool.isThere("parallel"), "GNU parallel is not installed"), arguments: ["", "2"])
  func deadHost(parts: String) throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let script = ManyStoresPageTests.project.appending(path: "samples/Fleet/over-hosts").path
    let outcome = try Tool.shell(
      """
      for n in a 'b c' "d'e"; do cp Notes.sqlite "$n.sqlite"; done
      ls *.sqlite | grep -v Notes > 'the list.txt'
      \(Self.fakeSSH)
      sh '\(script)' notes.pipeline 'the list.txt' 1/ben \(parts); echo "$?"
      sh '\(script)' notes.pipeline 'the list.txt' 1/anna,1/ben \(parts) > said; echo "$?"
      for n in a 'b c' "d'e"; do ls "$n.sqlite.pipeline/backups" | wc -l | tr -d ' '; done
      sort -u hosts
      """)
    #expect(outcome.output == "4\n0\n1\n1\n1\nanna\nben\n", "\(outcome)")
    let versions = try Tool.shell(
      "pipeline inspect --models Notes.xcdatamodeld [a-e]*.sqlite | sed -n 2p")
    #expect(versions.output.hasPrefix("     3 "), "\(versions)")
    #expect(versions.output.contains("  Notes 2  a.sqlite"), "\(versions)")
  }

  @Test(
    "parts of a list are jobs on this machine, and the part that failed is run again",
    .enabled(if: Tool.isThere("parallel"), "GNU parallel is not installed"))
  func parts() throws {
    try NotesSample.lay(in: TemporaryFolder.url)
    let script = ManyStoresPageTests.project.appending(path: "samples/Fleet/over-hosts").path
    let parts = "'\(script)' notes.pipeline stores.txt : 3"
    let first = try Tool.shell(
      """
      for n in a b c 'd e' f; do cp Notes.sqlite "$n.sqlite"; done; echo no > bad.sqlite
      ls *.sqlite | grep -v Notes > stores.txt
      \(parts)
      """)
    #expect(first.status == 3, "\(first)")
    let jobs = "cut -f 1,7 jobs.log | tail -n +2 | sort -u"
    #expect(try Tool.shell(jobs).output == "1\t0\n2\t0\n3\t3\n", "\(first)")
    // The list has grown, and so has the first part, which was done.
    let second = try Tool.shell(
      """
      cp Notes.sqlite bad.sqlite; cp Notes.sqlite ff.sqlite; echo ff.sqlite >> stores.txt
      \(parts)
      """)
    #expect(second.status == 0, "\(second)")
    let versions = try Tool.shell(
      "pipeline inspect --models Notes.xcdatamodeld [a-f]*.sqlite | sed -n 2p")
    #expect(versions.output.hasPrefix("     7 "), "\(versions)")
    let swaps = try Tool.shell("cat part-*.events | grep -c '\"event\":\"swapped\"'")
    #expect(swaps.output == "7\n")
    #expect(versions.output.contains("  Notes 2  a.sqlite"), "\(versions)")
    #expect(try Tool.shell("'\(script)' notes.pipeline stores.txt : 0").status == 2)
  }

  private static let ends: [(jobs: [Int], status: Int32)] = [
    ([0, 0], 0), ([3, 3, 3, 3, 0], 3), ([2, 3], 1), ([3, 5, 3], 5), ([5, 4, 3], 4), ([255, 3], 4),
    ([143, 0], 130), ([143, 3], 3),
  ]

  @Test(
    "the status of all jobs says who acts next, however many failed",
    .enabled(if: Tool.isThere("parallel"), "GNU parallel is not installed"), arguments: ends)
  func status(jobs: [Int], status: Int32) throws {
    let script = ManyStoresPageTests.project.appending(path: "samples/Fleet/over-hosts").path
    // A store's name says how its run ends.
    let outcome = try Tool.shell(
      """
      mkdir bin; printf '#!/bin/sh\\nexit "${5%%-*}"\\n' > bin/pipeline; chmod +x bin/pipeline
      PATH="$PWD/bin:$PATH"
      printf '%s\\n' \(jobs.enumerated().map { "\($1)-\($0)" }.joined(separator: " ")) > list
      sh '\(script)' notes.pipeline list :
      """)
    #expect(outcome.status == status, "\(outcome)")
  }

  @Test(
    "the list is read as the command itself reads it",
    .enabled(if: Tool.isThere("parallel"), "GNU parallel is not installed"))
  func list() throws {
    let script = ManyStoresPageTests.project.appending(path: "samples/Fleet/over-hosts").path
    let outcome = try Tool.shell(
      """
      mkdir bin; printf '#!/bin/sh\\nprintf "<%%s>\\\\n" "$4" "$5"\\n' > bin/pipeline
      chmod +x bin/pipeline; PATH="$PWD/bin:$PATH"
      printf '\\357\\273\\277a.sqlite\\r\\n\\r\\n\\n-b c.sqlite\\r\\n' > list
      sh '\(script)' notes.pipeline list : | sort -u
      sh '\(script)' notes.pipeline none :
      """)
    #expect(outcome.output == "<-->\n<-b c.sqlite>\n<a.sqlite>\n", "\(outcome)")
    #expect(outcome.status == 2)
  }
}
