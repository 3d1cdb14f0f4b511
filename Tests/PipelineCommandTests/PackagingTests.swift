import Foundation
import TestSupport
import Testing

/// What `make install` and `make deb` put where, with the program under test.
@Suite("Packaging", .temporaryFolder)
struct PackagingTests {
  private var project: String { ManyStoresPageTests.project.path }

  /// Runs a line of shell in the project's folder.
  private func inProject(_ line: String) throws -> Tool.Outcome {
    try Tool.shell("work=$PWD; cd '\(project)'; \(line)")
  }

  @Test("what is installed runs, and finds its samples") func install() throws {
    let made = try inProject("DESTDIR=$work PREFIX=/opt .ci/install \"$(command -v pipeline)\"")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("bytes"))
    let said = try Tool.shell(
      """
      opt/bin/pipeline --version | head -n 1 && opt/bin/pipeline sample wal-trap trap --size small \
        >/dev/null && opt/bin/pipeline run trap/*.pipeline trap/*.sqlite -q | head -n 1
      """)
    #expect(said.errors == "")
    #expect(said.output.hasPrefix("pipeline "))
    #expect(said.output.contains("Ledger -> Ledger 2"))
    let started = try inProject(
      """
      cd samples/Fleet/inbox
      starts='s|.*/usr/local\\(/[^ ]*/migrate-inbox\\).*|\\1|p'
      for script in $(sed -n "$starts" crontab *.service); do
        test -x "$work/opt$script" && echo "$script"
      done
      """)
    let script = "/share/pipeline/samples/Fleet/inbox/migrate-inbox\n"
    #expect(started.output == script + script, "\(started)")
  }

  @Test(
    "the Debian package can be installed, and what is in it runs",
    .enabled(
      if: Tool.isThere("dpkg-deb") && Tool.isThere("fakeroot"), "dpkg or fakeroot is missing"))
  func debian() throws {
    let made = try inProject(".ci/deb \"$(command -v pipeline)\" \"$work/deb\"")
    #expect(made.status == 0, "\(made.errors)")
    let said = try Tool.shell(
      """
      set -e
      # "ldconfig" and "start-stop-daemon" have to be found, says dpkg.
      PATH=$PATH:/usr/sbin:/sbin
      mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info && : > root/var/lib/dpkg/status
      # Depends are of the system and not of this root; there are no scripts that would need one.
      fakeroot dpkg --root="$PWD/root" --force-not-root --force-depends --log=/dev/null \
        -i deb/*.deb >/dev/null 2>&1
      dpkg-query --admindir=root/var/lib/dpkg -W -f '${Package} ${Status}\\n'
      root/usr/bin/pipeline sample swiftdata trips --size small | wc -l
      root/usr/bin/pipeline run trips/*.pipeline trips/default.store -q 2>/dev/null | head -n 1
      gunzip -c root/usr/share/man/man1/pipeline.1.gz | grep -c '^.Nm pipeline'
      dpkg-deb -f deb/*.deb Depends | grep -o 'libsqlite3-0'
      """)
    #expect(said.errors == "")
    let lines = said.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "pipeline install ok installed")
    #expect(lines.contains("trips/default.store: Trips -> Trips 2"))
    #expect(lines.last == "libsqlite3-0")
  }

  @Test("the scripts of .ci and of the samples can be read by a shell") func scripts() throws {
    let said = try inProject(
      """
      for file in .ci/* samples/Fleet/*-hosts samples/Fleet/*.slurm samples/Fleet/*/migrate*; do
        case $(head -n 1 "$file") in *bash) bash -n "$file" ;; *sh) sh -n "$file" ;; esac
      done
      """)
    #expect(said == Tool.Outcome(output: "", errors: "", status: 0))
  }

  @Test(
    "the Lua that is part of the program can be read by its own tool",
    .enabled(if: Tool.says("command -v luac5.4"), "luac5.4 is not installed"))
  func lua() throws { try read("lua", by: "luac5.4 -p") }

  @Test(
    "the JavaScript of the reports can be read by its own tool",
    .enabled(if: Tool.says("command -v node"), "node is not installed"))
  func javascript() throws { try read("js", by: "node --check") }

  private func read(_ suffix: String, by tool: String) throws {
    let said = try inProject(
      "find Sources scripts -name '*.\(suffix)' | while read -r file; do \(tool) $file; done")
    #expect(said == Tool.Outcome(output: "", errors: "", status: 0))
  }

  private static let workflows = [
    ".github/workflows/check.yml", "samples/GitHub/migration.yml",
  ]

  @Test(
    "the workflows can be read, and each step does something",
    .enabled(if: Tool.says("python3 -c 'import yaml'"), "python3 with yaml is not installed"),
    arguments: workflows)
  func workflow(path: String) throws {
    let said = try inProject(
      """
      python3 - \(path) <<'END'
      import sys, yaml
      jobs = yaml.safe_load(open(sys.argv[1]))["jobs"]
      steps = [step for job in jobs.values() for step in job["steps"]]
      assert all(("run" in step) != ("uses" in step) for step in steps)
      print("\\n".join(step.get("run", "").strip() for step in steps))
      END
      """)
    #expect(said.status == 0, "\(said.errors)")
    let targets = said.output.components(separatedBy: "make ").dropFirst()
    let makefile = try String(contentsOfFile: "\(project)/Makefile", encoding: .utf8)
    let unknown = targets.map { $0.prefix { $0.isLetter || $0 == "-" } }
      .filter { !$0.isEmpty && !$0.hasPrefix("-") && !makefile.contains("\n\($0):") }
    #expect(unknown.isEmpty)
  }
}
