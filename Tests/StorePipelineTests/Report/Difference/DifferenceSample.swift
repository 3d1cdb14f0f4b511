import CoreDataStore
import Formats
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport

/// Reports made of changes that a test thinks up.
enum DifferenceSample {
  /// The smallest picture there is: one dot.
  static let dot: [UInt8] = Array(
    Data(
      base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9"
        + "awAAAABJRU5ErkJggg==") ?? Data())

  /// A report of these objects; of each entity `kept` more stayed the same.
  static func report(
    _ objects: [ChangedObject], display: ValueDisplay = .short, kept: Int = 0,
    limits: DifferenceCollector.Limits = .init(), metadata: [ChangedMetadata] = [],
    models: ModelDifferenceReport? = nil
  ) throws -> DifferenceReport {
    var collector = DifferenceCollector(display: display, limits: limits)
    var entities: [String: ComparedEntity] = [:]
    for object in objects {
      try collector.add(object)
      entities[object.entity, default: ComparedEntity(name: object.entity, kept: kept)]
        .count(object)
    }
    let difference = StoreDifference(
      entities: entities.values.sorted { $0.name < $1.name }, metadata: metadata)
    return collector.report(
      difference, before: .init(path: "Old.sqlite", version: "Notes"),
      after: .init(path: "New.sqlite", version: "Notes 2"), models: models)
  }

  /// An object that both stores have, with one value that differs.
  static func changed(
    _ key: Int64, _ attribute: String, _ old: ComparedValue, _ new: ComparedValue,
    entity: String = "Note"
  ) -> ChangedObject {
    let id = ObjectID(entity: entity, key: key)
    return ChangedObject(
      .changed, source: id, object: id, values: [ChangedValue(attribute, old: old, new: new)])
  }

  /// The same of texts.
  static func text(_ key: Int64, _ old: String, _ new: String) -> ChangedObject {
    changed(key, "title", .value(.string(old)), .value(.string(new)))
  }

  /// Data that is a picture.
  static func picture(_ bytes: [UInt8] = dot) -> ComparedValue {
    .data(ComparedData(bytes: bytes.count, sha256: Digest.sha256(bytes), content: bytes))
  }

  /// A bit of everything: 412 titles trimmed, priorities become numbers, links, pictures, objects
  /// that came and went.
  static func everything(_ display: ValueDisplay = .short) throws -> DifferenceReport {
    var objects = (1...412).map { text($0, "  Title \($0) ", "Title \($0)") }
    objects += (413...440).map {
      changed($0, "priority", .value(.string("high")), .value(.integer(1)))
    }
    objects.append(changed(441, "picture", picture(), .value(.null)))
    objects.append(changed(442, "created", .value(.date(700_000_000)), .value(.date(7e8 + 0.5))))
    var link = ChangedLink("folder")
    link.lose(ObjectID(entity: "Folder", key: 1))
    link.gain(ObjectID(entity: "Folder", key: 2))
    let note = ObjectID(entity: "Note", key: 443)
    objects.append(ChangedObject(.changed, source: note, object: note, values: [], links: [link]))
    objects.append(
      ChangedObject(
        .removed, source: ObjectID(entity: "Folder", key: 3), object: nil,
        values: [ChangedValue("name", old: .value(.string("Attic")), new: .absent)]))
    objects.append(
      ChangedObject(
        .added, source: ObjectID(entity: "Note", key: 1),
        object: ObjectID(entity: "Label", key: 9),
        values: [ChangedValue("name", old: .absent, new: .value(.string("shop")))]))
    var report = try report(
      objects, display: display, kept: 1000,
      metadata: [
        ChangedMetadata(
          key: "lastOpenedBy", old: .string("Ada"), new: .string("Bob"), isApplications: true)
      ],
      models: ModelDifferenceReport(
        from: try NotesSample.model("Notes"), to: try NotesSample.model("Notes 2")))
    report.rejected = ["Note": 2]
    report.sections = [
      .init(
        title: "What was lost", note: "Nothing.", columns: ["Name", "Fate"], rows: [["a", "b"]])
    ]
    return report
  }

  /// Texts that try to become something else than texts.
  static let hostile = [
    "</script><script>document.title='broken'</script>", "<!--<script>", "<img src=x onerror=a()>",
    "\"'><b>", "\u{1B}[31mred", "a|b`c`*d*_e_[f](g)", "@somebody #12", "\u{2028}\u{2029}\0end",
    "{{constructor.constructor('a()')()}}", "]]>", "&lt;b&gt;",
  ]
}
