internal import CoreDataStore
internal import Formats
internal import StoreMigration

/// The difference of two stores as the JSON that programs rely on.
package struct JSONDifferenceReport {
  private let report: DifferenceReport
  private let limit: Int

  /// The document of a report, with at most `limit` objects.
  package init(_ report: DifferenceReport, limit: Int) {
    (self.report, self.limit) = (report, max(0, limit))
  }

  /// The document as one text.
  ///
  /// - Throws: `Failure` when the objects cannot be read.
  package var text: String {
    get throws {
      var bytes: [UInt8] = []
      try write { bytes += $0 }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Hands the document over, a piece at a time: what is in memory does not grow with its objects.
  ///
  /// - Throws: `Failure` when the objects cannot be read, and what `sink` throws.
  package func write(to sink: ([UInt8]) throws -> Void) throws {
    try sink(Array("{\(Self.lines(head)),\n  \"objects\": [".utf8))
    let count = min(limit, report.objects.count)
    var written = 0
    if count > 0 {
      try report.objects.forEach { object in
        let comma = written > 0 ? "," : ""
        try sink(Array("\(comma)\n    \(Self.object(object).text(.pretty, level: 2))".utf8))
        written += 1
        return written < count
      }
    }
    let end = written > 0 ? "\n  " : ""
    try sink(Array("\(end)],\(Self.lines(tail(listed: written)))\n}".utf8))
  }

  private static func lines(_ members: [(name: String, value: JSONValue)]) -> String {
    members.map { "\n  \"\($0.name)\": \($0.value.text(.pretty, level: 1))" }
      .joined(separator: ",")
  }

  private var head: [(name: String, value: JSONValue)] {
    [
      ("format", 1),
      ("source", Self.side(report.before)),
      ("target", Self.side(report.after)),
      ("same", .bool(report.isSame)),
      (
        "entities",
        .array(report.difference.entities.map { Self.entity($0, report.rejected[$0.name] ?? 0) })
      ),
      ("groups", .array(report.groups.map(Self.group))),
    ]
  }

  private func tail(listed: Int) -> [(name: String, value: JSONValue)] {
    [
      ("omitted", .count(report.changeCount - listed)),
      ("metadata", .array(report.metadata.map(Self.metadata))),
      ("values", .string(report.display.rawValue)),
      ("sections", .array(report.sections.map(Self.section))),
      ("remark", .string(report.remark)),
      ("lost", report.losses.map { .count($0.lost) } ?? .null),
      ("losses", .array((report.losses?.lines ?? []).map(Self.loss))),
      ("run", report.run.map { JSONRunSummary($0).value } ?? .null),
    ]
  }

  private static func side(_ side: DifferenceReport.Side) -> JSONValue {
    ["path": .string(side.path), "version": .string(side.version)]
  }

  private static func entity(_ entity: ComparedEntity, _ rejected: Int) -> JSONValue {
    [
      "name": .string(entity.name),
      "from": .text(entity.from),
      "presence": .string(entity.presence.rawValue),
      "kept": .count(entity.kept),
      "changed": .count(entity.changed),
      "added": .count(entity.added),
      "removed": .count(entity.removed),
      "rejected": .count(rejected),
      "attributes": members(entity.attributes) { counts in
        [
          "changed": .count(counts.changed), "emptied": .count(counts.emptied),
          "appeared": .count(counts.appeared), "removed": .count(counts.removed),
        ]
      },
      "links": members(entity.links) { counts in
        [
          "gained": .count(counts.gained), "lost": .count(counts.lost),
          "reordered": .count(counts.reordered), "removed": .count(counts.removed),
        ]
      },
    ]
  }

  static func loss(_ line: LossReport.Line) -> JSONValue {
    let loss = line.loss
    return [
      "entity": .string(loss.entity), "property": .string(loss.property),
      "relationship": .bool(loss.isRelationship), "fate": .string(loss.fate.rawValue),
      "to": .texts(loss.places.map(\.description)), "values": .count(loss.values),
      "arrived": .count(loss.arrived), "changed": .count(loss.changed),
      "emptied": .count(loss.emptied), "gone": .count(loss.gone),
      "dangling": .count(loss.dangling), "lost": .count(loss.lost),
      "counted": .bool(loss.isCountedHere), "declared": .text(line.declared),
      "note": .text(line.note),
    ]
  }

  private static func members<Counts>(
    _ counts: [String: Counts], _ json: (Counts) -> JSONValue
  ) -> JSONValue {
    .object(
      counts.sorted { NameOrder.precedes($0.key, $1.key) }.map { .init($0.key, json($0.value)) })
  }

  private static func group(_ group: ChangeGroup) -> JSONValue {
    [
      "entity": .string(group.entity), "change": .string(group.change.rawValue),
      "words": .string(group.words), "count": .count(group.count),
    ]
  }

  private static func object(_ object: ReportedObject) -> JSONValue {
    [
      "entity": .string(object.entity),
      "key": .integer(object.key),
      "change": .string(object.change.rawValue),
      "source": id(object.source),
      "target": id(object.object),
      "group": .count(object.group),
      "values": .object(
        object.values.map { .init($0.attribute, .array([$0.old.json, $0.new.json])) }),
      "links": .object(object.links.map { .init($0.relationship, link($0)) }),
    ]
  }

  private static func id(_ object: ObjectID?) -> JSONValue {
    object.map { ["entity": .string($0.entity), "key": .integer($0.key)] } ?? .null
  }

  private static func link(_ link: ChangedLink) -> JSONValue {
    [
      "lost": .array(link.lost.map(id)), "lostCount": .count(link.lostCount),
      "gained": .array(link.gained.map(id)), "gainedCount": .count(link.gainedCount),
      "reordered": .bool(link.isReordered),
    ]
  }

  private static func metadata(_ entry: ReportedMetadata) -> JSONValue {
    ["key": .string(entry.key), "old": .text(entry.old), "new": .text(entry.new)]
  }

  private static func section(_ section: DifferenceReport.Section) -> JSONValue {
    [
      "title": .string(section.title), "note": .string(section.note),
      "columns": .texts(section.columns), "rows": .array(section.rows.map(JSONValue.texts)),
    ]
  }
}
