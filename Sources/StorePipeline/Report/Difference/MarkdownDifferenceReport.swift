internal import CoreDataStore
internal import Formats
internal import StoreMigration

/// The difference of two stores as Markdown for a comment on a pull request.
package struct MarkdownDifferenceReport {
  /// The text, smaller than ``most`` bytes.
  package private(set) var text = ""
  private let report: DifferenceReport
  private var first: [Int: [ReportedObject]] = [:]

  /// A comment may have 65,536 characters on the largest host of such comments; this leaves room
  /// for a script that puts a line of its own above it.
  package static let most = 60_000

  /// How many objects of a group are shown.
  private static let perGroup = 5

  /// The text of a report.
  ///
  /// - Throws: `Failure` when its objects cannot be read.
  package init(_ report: DifferenceReport) throws {
    self.report = report
    first = try report.objects.first(Self.perGroup, ofEach: report.groups.indices)
    let end = report.remark.isEmpty ? "" : "\n\(report.remark.markdown)\n"
    let room = Self.most - end.utf8.count - 200
    text = head
    let losses = report.losses?.section(isShort: true)
    let blocks =
      report.opening(losses).map(section) + [entities, properties, metadata]
      + report.groups.enumerated().map { details($1, $0) } + report.closing.map(section)
    var leftOut = 0
    for block in blocks {
      if fits(block, room) { text += block } else { leftOut += 1 }
    }
    if leftOut > 0 { text += "\n_\(leftOut) more did not fit into this comment._\n" }
    text += end
  }

  private func fits(_ block: String, _ room: Int) -> Bool {
    text.utf8.count + block.utf8.count <= room
  }

  private var head: String {
    let versions =
      report.models == nil
      ? ""
      : " The model has changed from \(report.before.version.code) to \(report.after.version.code)."
    // A run that is resumed writes over its own report alone.
    let run = report.run.map { "<!-- run \($0.run) -->\n" } ?? ""
    return """
      \(run)### \(report.title.markdown)

      \(report.before.path.code) → \(report.after.path.code)

      **\(report.verdict.markdown)**\(versions)

      """
  }

  private var entities: String {
    let listed = report.difference.entities.filter { !$0.isSame || report.rejected[$0.name] != nil }
    guard !listed.isEmpty else { return "" }
    let rows = listed.map { entity in
      let counts = [
        entity.kept, entity.changed, entity.added, entity.removed,
        report.rejected[entity.name] ?? 0,
      ]
      return "| \(entity.title.markdown) | "
        + counts.map(Quantity.count).joined(separator: " | ") + " |"
    }
    let same = report.difference.entities.count - listed.count
    let rest = same > 0 ? "\n\(Plural.text(same, "entity")) without a difference.\n" : ""
    return """

      | entity | same | changed | added | removed | rejected |
      | --- | --: | --: | --: | --: | --: |
      \(rows.joined(separator: "\n"))
      \(rest)
      """
  }

  private var properties: String {
    let rows = report.difference.entities.flatMap { entity in
      entity.properties(report.given).map { ("\(entity.name).\($0.name)", $0.words) }
    }
    return folded("Values and links by property", table(["property", "what happened"], rows))
  }

  private var metadata: String {
    let rows = report.metadata.map { ($0.key, "\($0.old ?? "none") → \($0.new ?? "none")") }
    return folded("Metadata", table(["key", "what happened"], rows))
  }

  private func details(_ group: ChangeGroup, _ number: Int) -> String {
    let objects = first[number] ?? []
    let rows = objects.flatMap { object in
      object.lines.map { ("\(object.entity) \(object.key)", "\($0.name): \($0.words)") }
    }
    let count = Plural.text(group.count, "object")
    let title = "\(group.change.symbol) \(group.entity), \(count): \(group.words)"
    let rest = group.count - objects.count
    let more = rest > 0 ? "\nand \(Quantity.count(rest)) more\n" : ""
    return folded(title, table(["object", "what happened"], rows) + more)
  }

  private func section(_ section: DifferenceReport.Section) -> String {
    func line(_ cells: [String]) -> String {
      "| " + cells.map { TextWindow.cut($0, limit: 300).markdown }.joined(separator: " | ") + " |"
    }
    let lines = [line(section.columns), line(section.columns.map { _ in "---" })]
    let body = (lines + section.rows.prefix(200).map(line)).joined(separator: "\n") + "\n"
    return folded(section.title, "\(section.note.markdown)\n\n\(body)")
  }

  private func table(_ columns: [String], _ rows: [(String, String)]) -> String {
    guard !rows.isEmpty else { return "" }
    let lines = rows.map { "| \($0.0.markdown) | \(TextWindow.cut($0.1, limit: 300).code) |" }
    return """
      | \(columns.joined(separator: " | ")) |
      | --- | --- |
      \(lines.joined(separator: "\n"))

      """
  }

  private func folded(_ title: String, _ body: String) -> String {
    guard !body.isEmpty else { return "" }
    return """

      <details><summary>\(title.markdown)</summary>

      \(body)
      </details>

      """
  }
}

extension String {
  /// The text on one line as Markdown shows it: nothing in it formats, links or mentions a user.
  fileprivate var markdown: String {
    // "www." begins a link without any of them (GitHub Flavored Markdown, 6.9).
    oneLine.spelling { Self.meaningful.contains($0) ? "&#\($0.value);" : nil }
      .replacing("www.", with: "www&#46;")
  }

  /// The text in an element in which hosts look for no names of people and issues.
  fileprivate var code: String { "<code>\(markdown)</code>" }

  private static let meaningful = Set("&<>\"'|`*_[]()~\\!@#$^:".unicodeScalars)
}
