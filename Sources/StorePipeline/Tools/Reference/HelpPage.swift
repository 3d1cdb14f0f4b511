/// A page that `pipeline help` prints: the documentation's own, as plain text.
package enum HelpPage: String, CaseIterable, Sendable {
  case pipelineFile = "pipeline-file"
  case scripts, hooks, functions, stages, losses

  /// What it is about, in one sentence.
  package var summary: String {
    switch self {
    case .pipelineFile: "What a pipeline file may say, and what it means."
    case .scripts: "Scripts in Lua: values, tables, and what the sandbox leaves out."
    case .hooks: "Where a script's functions stand, and when they are called."
    case .functions: "Every function that scripts may call, each with an example."
    case .stages: "Every stage with its options."
    case .losses: "What may be lost, and how it is given up by name."
    }
  }

  /// The page, without a line end at its end.
  package var text: String {
    var isCode = false
    var lines: [String] = []
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        lines.append(line.isEmpty ? "" : "    \(line)")
      } else if !line.hasPrefix("<!--"), line != "## Overview" {
        lines.append(Self.plain(String(line)))
      }
    }
    return Self.trimmed(lines).joined(separator: "\n")
  }

  private var markdown: String {
    switch self {
    case .pipelineFile: String(resource: PackageResources.PipelineFile_md)
    case .scripts: String(resource: PackageResources.Scripts_md)
    case .hooks: String(resource: PackageResources.Hooks_md)
    case .functions: FunctionPage.markdown
    case .stages: StageReference(StageRegistry.standard.descriptions).markdown
    case .losses: String(resource: PackageResources.Losses_md)
    }
  }

  /// A line whose links name what to type, or the page of the documentation.
  private static func plain(_ line: String) -> String {
    line.replacing(/\[([^\]]+)\]\(([A-Za-z]+)\.md\)/) { match in
      let page = allCases.first { $0.article == match.2 }
      return page.map { "`pipeline help \($0.rawValue)`" } ?? "the page \"\(match.1)\""
    }
  }

  private var article: String {
    switch self {
    case .pipelineFile: "PipelineFile"
    case .scripts: "Scripts"
    case .hooks: "Hooks"
    case .functions: "Functions"
    case .stages: "Stages"
    case .losses: "Losses"
    }
  }

  /// No empty line stands at either end, and never two in a row.
  private static func trimmed(_ lines: [String]) -> [String] {
    var found: [String] = []
    for line in lines where !line.isEmpty || found.last?.isEmpty == false { found.append(line) }
    if found.last?.isEmpty == true { found.removeLast() }
    return found
  }
}
