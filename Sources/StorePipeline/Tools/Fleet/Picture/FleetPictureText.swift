internal import CoreDataStore

// The picture as a person reads it on a terminal.
extension FleetPicture {
  /// The lines that `pipeline fleet` prints for a person.
  package func text(width: Int, style: Style) -> String {
    guard !members.isEmpty || !unseen.isEmpty else { return "no store is there" }
    let parts = tables.filter { !$0.rows.isEmpty }.map { table in
      var lines = TextTable(numbers: table.numbers)
      lines.rows = [TextTable.Row(cells: table.columns)] + table.rows.map(table.unbroken)
      return lines.lines(width: width, style)
    }
    return ([[total]] + parts + [next(width)]).map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  /// The lines of `pipeline inspect` for many stores; `models` says where the models of unknown
  /// versions were written, by digest.
  package func versionsText(models: [String: String], width: Int, style: Style) -> String {
    guard !members.isEmpty else { return "no store is there" }
    var table = TextTable(numbers: [0, 1])
    table.add("stores", "bytes", "version", "an example")
    for version in versions {
      let model = version.digest.flatMap { models[$0] }.map { "; its model: \($0)" } ?? ""
      table.add(
        Quantity.count(version.count), Quantity.bytes(Int(version.bytes)), Self.name(version),
        version.example + model, tint: version.known == .none ? .attention : .plain,
        whole: (version.example + model).oneLine.count)
    }
    let unreadable = members.filter { $0.last?.status != nil }
    for (cause, count) in causes {
      table.add(
        Quantity.count(count), "-", "unreadable", "\(cause.example): \(cause.words)", tint: .bad,
        whole: "\(cause.example):".oneLine.count)
    }
    let versions = Plural.text(self.versions.count, "version")
    let rest = unreadable.isEmpty ? "" : ", \(Quantity.count(unreadable.count)) unreadable"
    return (table.lines(width: width, style) + ["", "\(storesInAll): \(versions)\(rest)"])
      .joined(separator: "\n")
  }

  private static func name(_ version: Version) -> String {
    guard version.known == .none, !version.name.hasPrefix("unknown") else { return version.name }
    return "unknown, called \(version.name)"
  }

  var storesInAll: String {
    Plural.text(members.count, "store") + (bytes > 0 ? ", \(Quantity.bytes(Int(bytes)))" : "")
  }

  /// How many stores there are, and how many need what.
  var total: String {
    let parts = Need.allCases.compactMap { need in
      let count = count(need)
      return count > 0 ? Self.words[need].map { "\(Quantity.count(count)) \($0)" } : nil
    }
    return ([storesInAll] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")]))
      .joined(separator: ": ")
  }

  /// A table of the picture, in whatever form.
  struct Table {
    let title: String
    let columns: [String]
    let numbers: Set<Int>
    let rows: [TextTable.Row]

    init(_ title: String, _ columns: String..., numbers: Set<Int>, rows: [TextTable.Row]) {
      (self.title, self.columns, self.numbers, self.rows) = (title, columns, numbers, rows)
    }

    /// A row of this table, whose last cell is not to be broken if it is a store's path.
    func unbroken(_ row: TextTable.Row) -> TextTable.Row {
      guard let last = columns.last, ["store", "an example"].contains(last) else { return row }
      var row = row
      row.whole = row.cells.last?.count ?? 0
      return row
    }
  }

  /// All tables, those without a row too.
  var tables: [Table] {
    [versionTable, statusTable, causeTable, slowTable, largeTable, lossTable, unreadTable]
  }

  private var versionTable: Table {
    Table(
      "Versions", "stores", "bytes", "version", "an example", numbers: [0, 1],
      rows: versions.map { version in
        TextTable.Row(
          cells: [
            Quantity.count(version.count),
            version.bytes > 0 ? Quantity.bytes(Int(version.bytes)) : "-", Self.name(version),
            version.example,
          ].map(\.oneLine), tint: version.known == .none ? .attention : .plain)
      })
  }

  private var statusTable: Table {
    Table(
      "How the last runs ended", "stores", "status", "last run", numbers: [0, 1],
      rows: statuses.map { status, outcome, count in
        let tint: TextTable.Tint = status == 0 ? .good : status == nil ? .attention : .bad
        return TextTable.Row(
          cells: [Quantity.count(count), status.map(String.init) ?? "-", outcome.oneLine],
          tint: tint)
      })
  }

  private var causeTable: Table {
    Table(
      "Why runs failed", "failed", "status", "an example", "why", numbers: [0, 1],
      rows: causes.map { cause, count in
        TextTable.Row(
          cells: [
            Quantity.count(count), "\(cause.status)", cause.example.oneLine, cause.words.oneLine,
          ], tint: .bad)
      })
  }

  private var slowTable: Table {
    Table(
      "Slowest", "slowest", "objects", "store", numbers: [0, 1],
      rows: slowest(Self.most).map { member in
        TextTable.Row(cells: [
          Self.time(member.last?.seconds ?? 0),
          member.last?.objects.map(Quantity.count) ?? "-", member.shown.oneLine,
        ])
      })
  }

  private var largeTable: Table {
    Table(
      "Largest", "largest", "version", "store", numbers: [0],
      rows: largest(Self.most).map { member in
        TextTable.Row(
          cells: [
            Quantity.bytes(Int(member.bytes ?? 0)), member.version ?? "-", member.shown,
          ].map(\.oneLine))
      })
  }

  private var lossTable: Table {
    Table(
      "Values without a place in the new stores", "lost", "stores", "property", numbers: [0, 1],
      rows: losses.map { property, lost, stores in
        TextTable.Row(
          cells: [Quantity.count(lost), Quantity.count(stores), property.oneLine], tint: .attention)
      }
        + (uncounted > 0
          ? [TextTable.Row(cells: ["-", Quantity.count(uncounted), Self.notCounted])] : []))
  }

  private static let notCounted = "no report has counted them; `run --report` does"

  private var unreadTable: Table {
    Table(
      "Files and folders that cannot be read", "unreadable", numbers: [],
      rows: (unseen + unread).map { TextTable.Row(cells: [$0.oneLine], tint: .attention) })
  }

  /// Most runs take less than a second.
  private static func time(_ seconds: Double) -> String {
    seconds < 10 ? "\(Int((seconds * 1000).rounded())) ms" : Quantity.duration(seconds)
  }

  private func next(_ width: Int) -> [String] {
    ["next:"]
      + advice.flatMap { advice in
        let lines = advice.words.oneLine.wrapped(to: max(20, width - 2))
        return lines.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
          + (advice.command.map { ["  \($0)"] } ?? [])
      }
  }
}
