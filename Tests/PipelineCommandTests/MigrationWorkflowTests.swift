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

  /// The script of the step that posts, with GitHub's objects in the place of the runner's; prints
  /// what it would ask of GitHub.
  private func post(over comments: String) throws -> Tool.Outcome {
    let workflow = ManyStoresPageTests.project.appending(path: "samples/GitHub/migration.yml").path
    return try Tool.shell(
      """
      python3 - '\(workflow)' <<'END'
      import sys, yaml
      steps = yaml.safe_load(open(sys.argv[1]))["jobs"]["migrate"]["steps"]
      script = next(s["with"]["script"] for s in steps if "github-script" in s.get("uses", ""))
      open("post.js", "w").write(script)
      END
      cat > github.js <<'END'
      const calls = [];
      const note = (name) => async (words) => { calls.push({ name, ...words }); };
      const issues = {
        listComments: "list", updateComment: note("update"), createComment: note("create") };
      const github = { rest: { issues }, paginate: async (method, place) => {
        if (method !== "list" || place.issue_number !== 7) throw new Error("another list");
        return JSON.parse(process.argv[2]);
      } };
      const context = { repo: { owner: "o", repo: "r" }, issue: { number: 7 } };
      const Script = Object.getPrototypeOf(async () => {}).constructor;
      const script = new Script("github", "context", "require",
        require("fs").readFileSync("post.js", "utf8"));
      script(github, context, require).then(() => {
        for (const { body, ...call } of calls) console.log(JSON.stringify(call) + "\\n" + body);
      });
      END
      node github.js '\(comments)'
      """)
  }

  @Test(
    "the plan and the differences are posted as one comment, and the next push changes that one",
    .enabled(
      if: isReadable && Tool.isThere("node"), "python3 with yaml, or node, is not installed"))
  func posted() throws {
    try lay()
    #expect(try step("Migrate").status == 0)
    let first = try post(over: #"[{"id": 1, "body": "Looks good"}]"#)
    #expect(first.errors == "")
    let lines = first.output.split(separator: "\n")
    #expect(lines.first == #"{"name":"create","owner":"o","repo":"r","issue_number":7}"#)
    #expect(lines.dropFirst().first == "<!-- migration -->")
    #expect(first.output.contains("### Plan") && first.output.contains("Notes 2 -> Notes 3"))
    #expect(first.output.contains("Note.author"))
    let second = try post(over: #"[{"id": 5, "body": "<!-- migration -->\\nold"}]"#)
    #expect(second.output.hasPrefix(#"{"name":"update","owner":"o","repo":"r","comment_id":5}"#))
  }
}
