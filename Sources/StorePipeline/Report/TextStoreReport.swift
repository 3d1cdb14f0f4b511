internal import CoreDataStore

/// A store as text: what it is, then what is in it.
package struct TextStoreReport {
  /// The lines.
  package private(set) var text = ""
  private let report: StoreReport
  private let facts: StoreFacts
  private let style: Style
  private let width: Int

  /// The text of a report, for a terminal of this width.
  package init(_ report: StoreReport, width: Int, style: Style) {
    self.report = report
    facts = report.facts
    self.style = style
    self.width = width
    let blocks = [
      head, reasons, entities, joins, blobs, others, foreign, metadata, log, warnings,
    ]
    text = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private func block(_ title: String, _ table: TextTable) -> [String] {
    guard !table.rows.isEmpty else { return [] }
    return [style.bold(title)] + table.lines(width: width, style)
  }

  private var head: [String] {
    var table = TextTable()
    table.add("store", report.path)
    table.add("version", report.versionWords)
    if let comparison = report.comparison {
      let answer = comparison.fits ? "fits" : "does not fit"
      table.add("against", "\(comparison.model) \(answer)", tint: comparison.fits ? .good : .bad)
    }
    table.add("uuid", facts.metadata.uuid)
    table.add("framework", facts.metadata.framework.map(String.init) ?? "not said")
    let identifiers = facts.metadata.identifiers.joined(separator: ", ")
    table.add("identifiers", identifiers.isEmpty ? "none" : identifiers)
    let pages = "in pages of \(Quantity.count(facts.pageSize)) bytes"
    table.add("size", "\(Quantity.bytes(Int(facts.files.bytes))) \(pages)")
    table.add("journal", journal)
    if let line = report.missingLog { table.add("-wal", line, tint: .attention) }
    table.add("integrity", facts.integrity)
    return table.lines(width: width, style)
  }

  private var journal: String {
    let waiting = [
      facts.files.walBytes.map { "\(Quantity.bytes(Int($0))) in its -wal" },
      facts.files.journalBytes.map { "\(Quantity.bytes(Int($0))) in a -journal a crash left" },
    ].compactMap(\.self)
    return ([facts.journalMode] + waiting).joined(separator: ", ")
  }

  /// Why models do not fit.
  private var reasons: [String] {
    if let comparison = report.comparison {
      return misfits("Why \(comparison.model) does not fit", comparison.misfits)
    }
    let recognition = facts.recognition
    return misfits(
      "Why the nearest, \(recognition.nearest?.name ?? ""), does not fit", recognition.misfits)
  }

  private func misfits(_ title: String, _ misfits: [ModelMisfit]) -> [String] {
    var table = TextTable(indent: 2)
    for misfit in misfits { table.add(misfit.description, tint: .bad) }
    return block(title, table)
  }

  private var entities: [String] {
    var table = TextTable(indent: 2, numbers: [0, 1, 2])
    let about = facts.areBytesEstimated ? "~" : ""
    table.add("no", "rows", "size", "entity", tint: .faint)
    for entity in facts.entities {
      let isAbstract = facts.recognition.model?.entity(named: entity.name)?.isAbstract == true
      let traits =
        (isAbstract ? ", abstract" : "")
        + (entity.parent.map { ", inherits from \($0)" } ?? "")
      table.add(
        String(entity.number), Quantity.count(Int(entity.rows)),
        about + Quantity.bytes(Int(entity.bytes)), entity.name + traits)
    }
    return block("Entities", table)
  }

  private var joins: [String] { tables("Join tables", facts.joins) }

  private func tables(_ title: String, _ facts: [TableFacts]) -> [String] {
    var table = TextTable(indent: 2)
    for fact in facts { table.add(fact.table, Plural.text(Int(fact.rows), "row")) }
    return block(title, table)
  }

  private var blobs: [String] {
    guard let files = facts.externalFiles, files != ExternalFiles() else { return [] }
    var table = TextTable(indent: 2)
    table.add("present", "\(Quantity.count(files.present)), \(Quantity.bytes(Int(files.bytes)))")
    if files.missing > 0 {
      table.add("missing", names(files.missing, files.missingNames), tint: .bad)
    }
    if files.orphaned > 0 {
      table.add("orphaned", names(files.orphaned, files.orphanedNames), tint: .attention)
    }
    if files.malformed > 0 {
      table.add("malformed", Plural.text(files.malformed, "reference"), tint: .bad)
    }
    if let problem = files.folderProblem { table.add("folder", problem, tint: .bad) }
    return block("External files", table)
  }

  private func names(_ count: Int, _ names: [String]) -> String {
    let shown = names.prefix(3).joined(separator: ", ")
    return "\(Quantity.count(count)): \(shown)\(count > 3 ? " and others" : "")"
  }

  private var others: [String] {
    var table = TextTable()
    if facts.externalFiles == nil {
      table.add("external files", "unknown: only a model says which values may be files")
    } else if facts.externalFiles == ExternalFiles() {
      table.add("external files", "none")
    }
    if let history = facts.history {
      table.add(
        "history",
        "\(Plural.text(Int(history.transactions), "transaction")), "
          + Plural.text(Int(history.changes), "change"))
    } else {
      table.add("history", "none kept")
    }
    if !facts.cloudKit.isEmpty {
      let tables = facts.cloudKit.map(\.table)
      table.add("CloudKit", "mirrored: \(names(tables.count, tables))", tint: .attention)
    }
    if let mirror = facts.mirror {
      table.add(
        "records",
        "\(Quantity.count(Int(mirror.records))) in "
          + Plural.text(Int(mirror.zones), "zone"))
      table.add(
        "not exported",
        "\(Quantity.count(Int(mirror.pendingExports))) changed, "
          + "\(Quantity.count(Int(mirror.pendingDeletes))) deleted",
        tint: mirror.isPending ? .attention : .plain)
    }
    for purpose in [TriggerFacts.Purpose.derived, .spatial] {
      let names = facts.triggers.filter { $0.purpose == purpose }.map(\.name)
      guard !names.isEmpty else { continue }
      table.add("\(purpose.rawValue) triggers", names.joined(separator: ", "))
    }
    return table.lines(width: width, style)
  }

  private var foreign: [String] {
    var table = TextTable(indent: 2)
    for object in facts.foreign.prefix(StoreReport.mostForeign) {
      table.add(object.kind, object.place, tint: .attention)
    }
    let rest = facts.foreign.count - StoreReport.mostForeign
    if rest > 0 { table.add("and \(Quantity.count(rest)) more", tint: .attention) }
    return block("What the model does not explain", table)
  }

  private var metadata: [String] {
    var table = TextTable(indent: 2)
    for entry in report.metadata where report.showsMetadata {
      guard entry.hashes.isEmpty else {
        table.add(entry.key, Plural.text(entry.hashes.count, "entity"))
        for (entity, hash) in entry.hashes { table.add("  \(entity)", hash) }
        continue
      }
      table.add(entry.key, entry.value ?? "\(entry.kind), by \(entry.writer.rawValue)")
    }
    guard table.rows.isEmpty else { return block("Metadata", table) }
    for writer in [MetadataEntry.Writer.iCloud, .application, .pipeline] {
      let keys = report.metadata.filter { $0.writer == writer }.map(\.key)
      guard !keys.isEmpty else { continue }
      let tint: TextTable.Tint = writer == .iCloud ? .attention : .plain
      table.add("by \(writer.rawValue)", keys.joined(separator: ", "), tint: tint)
    }
    return block("Metadata keys", table)
  }

  private var log: [String] {
    var table = TextTable(indent: 2)
    for entry in facts.metadata.log.compactMap(StoreLogEntry.init) {
      table.add(entry.date, entry.versions, entry.counts, entry.run, entry.tool)
    }
    return block("Runs", table)
  }

  private var warnings: [String] {
    var table = TextTable(indent: 2)
    for warning in facts.warnings { table.add(warning.subject, warning.text, tint: .attention) }
    return block("What is strange", table)
  }
}
