internal import CoreDataStore
internal import Formats

extension LintRule {
  /// The rules for a terminal of this width, group by group.
  package static func text(width: Int, style: Style) -> String {
    Group.allCases.map { group in
      var table = TextTable(indent: 2)
      for rule in all where rule.group == group { table.add(rule.name, rule.summary) }
      let head = [style.bold(group.rawValue)] + group.summary.wrapped(to: width)
      return (head + table.lines(width: width, style)).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// The rules as a JSON document.
  package static var json: String {
    let rules = all.map { rule -> JSONValue in
      [
        "name": .string(rule.name), "group": .string(rule.group.rawValue),
        "summary": .string(rule.summary), "before": .string(rule.example.before),
        "after": .string(rule.example.after),
      ]
    }
    return JSONValue.object([.init("format", 1), .init("rules", .array(rules))]).text(.pretty)
  }

  /// The rules as a page in Markdown, each with its example and what it finds there.
  package static func markdown() throws -> String {
    let groups = try Group.allCases.flatMap { group in
      ["## \(group.rawValue)", group.summary]
        + (try all.filter { $0.group == group }.flatMap { try $0.chapter() })
    }
    return ([introduction] + groups).joined(separator: "\n\n") + "\n"
  }

  private static let introduction = """
    # Rules for a change of a model

    What `pipeline model diff --fail-on` looks for. The names stay: build scripts and lists of
    allowances may rely on them.

    ## Overview

    `--fail-on` and `--warn-on` take the names of rules, and those of their groups: `lossy`,
    `heavyweight`, `cloudkit`, `renames`. `pipeline model rules` prints the list.
    [Testing a migration on every pull request](ContinuousIntegration.md) shows how to use it. Each
    example has the older version of a model, the newer one, and what the rule says.
    """

  private func chapter() throws -> [String] {
    let found = find(try exampleReport).map { "\($0.subject): \($0.words)" }
    return [
      "### \(name)", summary, "```xml\n\(example.before)\n```", "```xml\n\(example.after)\n```",
      "```text\n\(found.joined(separator: "\n"))\n```",
    ]
  }

  /// The difference of the two versions of the example.
  package var exampleReport: ModelDifferenceReport {
    get throws {
      let models = try [example.before, example.after].enumerated().map { number, text in
        try SourceModelReader.read(
          Array("<model>\(text)</model>".utf8), name: "Version \(number + 1)")
      }
      return ModelDifferenceReport(from: models[0], to: models[1])
    }
  }
}
