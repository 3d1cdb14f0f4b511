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

  /// The page as text, without a line end at its end.
  package func text(width: Int, style: Style) -> String { Layout.text(lines, width, style) }

  /// What pages say about a word: the parts that it heads, or else those with a table of which it
  /// begins a row.
  ///
  /// - Parameters:
  ///   - word: What is looked for.
  ///   - pages: The pages to look at.
  ///   - width: The columns it may take.
  ///   - style: Whether headings are bold.
  /// - Returns: The text; nil where no page says anything.
  package static func text(
    about word: String, in pages: [HelpPage] = allCases, width: Int, style: Style
  ) -> String? {
    for finds in [Part.isHeaded, Part.hasRow, Part.isBegun] {
      let parts = pages.flatMap { Part.all(of: $0.lines) }.filter { finds($0)(word) }
      guard parts.isEmpty else {
        return Layout.text(parts.flatMap { $0.lines + [""] }, width, style)
      }
    }
    return nil
  }

  /// The pages whose names begin with a word: "hook", "loss" and "pipeline" mean one each.
  package init?(meant word: String) {
    let letters = word.lowercased().filter(\.isLetter)
    let found = Self.allCases.filter { $0.rawValue.filter(\.isLetter).hasPrefix(letters) }
    guard letters.count > 2, found.count == 1, let page = found.first else { return nil }
    self = page
  }

  /// What heads the parts of a page.
  package var titles: [String] { Part.all(of: lines).map(\.title) }

  /// The lines of the page, whose links name what to type.
  private var lines: [String] {
    var isCode = false
    return markdown.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode { return String(line) }
      return line.hasPrefix("<!--") || line == "## Overview" ? nil : Self.plain(String(line))
    }
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

  /// A heading and what stands below it.
  private struct Part {
    let title: String
    var lines: [String]

    static func all(of lines: [String]) -> [Part] {
      var found: [(level: Int, part: Part)] = []
      var open: [Int] = []
      var isCode = false
      for line in lines {
        if line.hasPrefix("```") { isCode.toggle() }
        if !isCode, line.hasPrefix("#") {
          let level = line.prefix { $0 == "#" }.count
          open.removeAll { found[$0].level >= level }
          if level > 1 {
            open.append(found.count)
            found.append((level, Part(title: String(line.dropFirst(level + 1)), lines: [])))
          }
        }
        for index in open { found[index].part.lines.append(line) }
      }
      return found.map(\.part)
    }

    /// Whether the word is the heading, or the module of a function in the heading.
    func isHeaded(by word: String) -> Bool {
      let (title, word) = (title.lowercased(), word.lowercased())
      return title == word || title.hasPrefix("\(word).")
    }

    /// Whether its heading is the plural of the word, or one of its paragraphs begins with it as a
    /// function.
    func isBegun(by word: String) -> Bool {
      title.lowercased() == "\(word.lowercased())s" || lines.contains { $0.hasPrefix("`\(word)(") }
    }

    func hasRow(of word: String) -> Bool {
      lines.contains { line in
        line.hasPrefix("| `\(word)`") || line.hasPrefix("| `\(word)(")
      }
    }
  }
}
