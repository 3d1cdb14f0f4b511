import Foundation
import TestSupport
import Testing

/// Runs the steps of samples/GitHub/migration.yml as a runner would, on the sample of notes.
@Suite("The workflow for pull requests", .temporaryFolder)
struct MigrationWorkflowTests {
  private static let isReadable = Tool.says("python3 -c 'import yaml'")

  /// Lays a repository with a model, a store and a pipeline file, and the workflow's steps in it.
  private func lay() throws {
    let workflow = ManyStoresPageTests.project.appending(path: "samples/GitHub/migration.yml").path
    let laid = try Tool.shell(
      """
      pipeline sample notes made --size small >/dev/null && mkdir App Migration &&
        mv made/Notes.xcdatamodeld App/Model.xcdatamodeld && mv made/*.lua Migration &&
        mv made/Notes.sqlite Migration/Before.sqlite &&
        sed 's|"Notes.xcdatamodeld"|"../App/Model.xcdatamodeld"|' made/upgrade.pipeline \\
          > Migration/app.pipeline &&
      python3 - '\(workflow)' <<'END'
      import sys, yaml
      for step in yaml.safe_load(open(sys.argv[1]))["jobs"]["migrate"]["steps"]:
          if step.get("name") in ("Check the model", "Migrate"):
              # The runner has the program in a cache, and installs what it needs.
              lines = [line for line in step["run"].split("\\n")
                       if "apt-get" not in line and "export PATH" not in line]
              open(step["name"].split()[0], "w").write("\\n".join(lines))
      END
      """)
    #expect(laid.status == 0, "\(laid.errors)")
  }

  private func step(_ name: String, rules: String = "renames") throws -> Tool.Outcome {
    try Tool.shell(
      "sh -e \(name)",
      setting: ["MODELS": "App/Model.xcdatamodeld", "RELEASED": "Notes 2", "RULES": rules])
  }

  @Test(
    "it annotates the model, and writes the plan and the differences to post",
    .enabled(if: isReadable, "python3 with yaml is not installed"))
  func sound() throws {
    try lay()
    #expect(try step("Check").output == "")
    let lossy = try step("Check", rules: "lossy")
    #expect(lossy.status == 1)
    #expect(
      lossy.output.hasPrefix(
        "::error file=App/Model.xcdatamodeld/Notes 3.xcdatamodel/contents,line="))
    let migrated = try step("Migrate")
    #expect(migrated.status == 0, "\(migrated.errors)")
    let posted = try Tool.shell("cat plan.md diff.md").output
    #expect(posted.contains("Notes 2 -> Notes 3") && posted.contains("Note"))
  }

  @Test(
    "a pipeline that would lose something fails it, and the plan that is posted says what",
    .enabled(if: isReadable, "python3 with yaml is not installed"))
  func lossy() throws {
    try lay()
    _ = try Tool.shell("sed -i.old 's/drop { \"Note.done\" }//' Migration/app.pipeline")
    #expect(try step("Migrate").status != 0)
    #expect(try Tool.shell("cat plan.md").output.contains("Note.done"))
  }
}
