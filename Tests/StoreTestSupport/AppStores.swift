package import CoreDataStore
import Formats
package import Foundation

/// Stores as today's apps make them, according to documentation.
package enum AppStores {
  /// Puts two stores of an app of SwiftData into a folder: one of each version of its schema.
  ///
  /// Each keeps its model, which has composite attributes and a Codable one.
  package static func laySwiftData(in folder: URL) throws {
    let trips = """
      INSERT INTO ZTRIP (
        Z_PK, Z_ENT, Z_OPT, ZNAME, ZKIND, ZCITY, ZLATITUDE, ZLONGITUDE, ZTAGS, ZPLAN)
      VALUES (1, 2, 1, 'Spring', 'leisure', 'Kyoto', 35.0, 135.8, x'5B2261225D', x'7B7D'),
        (2, 2, 1, 'Autumn', 'work', 'Porto', 41.1, -8.6, NULL, NULL);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTRIP) VALUES (1, 1, 1, 'Hat', 1);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Trip';
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Item';
      """
    for (name, version, rows) in [("old", before, trips), ("new", after, "")] {
      let model = try recorded(version, name: name == "old" ? "1.0.0" : "2.0.0")
      let place = folder.appending(path: name)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let contents = NewStoreContents(
        uuid: "5D1B0A36-6F0E-4C0B-8B51-6A1B4DF0F2A\(rows.isEmpty ? 2 : 1)",
        modelCache: .archive(try ModelArchive.bytes(of: model)), keepsHistory: true)
      try SampleStore.make(
        of: model, at: place.appending(path: "default.store").path, contents: contents,
        adding: rows)
    }
  }

  private static let before =
    trip("place", "") + item("")
  private static let after =
    trip(
      "destination\" elementID=\"place",
      "<attribute name=\"isFavorite\" attributeType=\"Boolean\" defaultValueString=\"NO\"/>")
    + item("<attribute name=\"count\" attributeType=\"Integer 64\" defaultValueString=\"1\"/>")

  private static func trip(_ place: String, _ more: String) -> String {
    """
    <composite name="Geo"><attribute name="latitude" attributeType="Double"/>
    <attribute name="longitude" attributeType="Double"/></composite>
    <composite name="Place"><attribute name="city" attributeType="String"/>
    <attribute name="geo" attributeType="Composite" composite="Geo"/></composite>
    <entity name="Trip"><attribute name="name" attributeType="String"/>
    <attribute name="kind" attributeType="String"/>
    <attribute name="tags" attributeType="Binary" optional="YES"/>
    <attribute name="plan" attributeType="Codable" optional="YES"/>
    <attribute name="\(place)" attributeType="Composite" composite="Place"/>\(more)
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade"
    destinationEntity="Item" inverseName="trip" inverseEntity="Item"/>
    <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
    </uniquenessConstraints></entity>
    """
  }

  private static func item(_ more: String) -> String {
    """
    <entity name="Item"><attribute name="title" attributeType="String"/>\(more)
    <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify"
    destinationEntity="Trip" inverseName="items" inverseEntity="Trip"/></entity>
    """
  }

  /// A model that records the hashes which cannot be computed, as a compiled model does.
  package static func recorded(_ body: String, name: String) throws -> Model {
    let read = try ModelText.model(body, name: name)
    let model = try Model(
      name: name, entities: read.entities, versionIdentifiers: [name],
      configurations: read.configurations, fetchRequests: read.fetchRequests)
    let uncertain = VersionHashes(of: model).uncertain.keys.compactMap(model.entity(named:))
    let hashes = uncertain.map {
      ($0.name, VersionHash(of: Array(String(reflecting: $0).utf8)))
    }
    return try model.with(recordedHashes: Dictionary(uniqueKeysWithValues: hashes))
  }
}

extension AppStores {
  /// Puts a store that is mirrored to CloudKit into a folder, both versions of its model, and a
  /// pipeline file that carries the mirror.
  package static func layMirrored(in folder: URL) throws {
    let models = folder.appending(path: "Tasks.xcdatamodeld")
    let area =
      "<entity name=\"Area\"><attribute name=\"title\" attributeType=\"String\" optional=\"YES\"/>"
      + "</entity>"
    for (name, more) in [("Tasks", ""), ("Tasks 2", area)] {
      let version = models.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(ModelText.xml(task + more)).write(to: version.appending(path: "contents"))
    }
    let rows = """
      INSERT INTO ZTASK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'Water'), (2, 1, 1, 'Earth');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Task';
      """
    let records = (1...3).map { key in
      MirrorTablesSample.record(
        key, entity: 1, object: key,
        key == 1 ? [:] : [key == 2 ? "ZNEEDSUPLOAD" : "ZNEEDSCLOUDDELETE": 1])
    }
    try SampleStore.make(
      of: ModelFile(models.path).model(named: "Tasks"),
      at: folder.appending(path: "Tasks.sqlite").path,
      contents: NewStoreContents(
        uuid: "0C6B2F5E-2A35-4A61-9D0B-4B8E3A9F1C77", keepsHistory: true),
      adding: rows + MirrorTablesSample.tables + records.joined())
    let pipeline = """
      pipeline "Tasks" { format = 1, models = "Tasks.xcdatamodeld", target = "Tasks 2" }
      stage "detect" {}
      stage "open" { cloudkit = "carry" }
      stage "copy" {}
      stage "validate" {}
      stage "verify" {}
      stage "swap" {}

      """
    try Data(pipeline.utf8).write(to: folder.appending(path: "carry.pipeline"))
  }

  /// Puts a store with a deferred lightweight migration into a folder, and both versions of its
  /// model.
  package static func layDeferred(in folder: URL) throws {
    let models = folder.appending(path: "Tasks.xcdatamodeld")
    let due = task.replacing(
      "</entity>",
      with: "<attribute name=\"due\" attributeType=\"Date\" optional=\"YES\"/></entity>")
    for (name, body) in [("Tasks", task), ("Tasks 2", due)] {
      let version = models.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(ModelText.xml(body)).write(to: version.appending(path: "contents"))
    }
    try SampleStore.make(
      of: ModelFile(models.path).model(named: "Tasks"),
      at: folder.appending(path: "Tasks.sqlite").path,
      contents: NewStoreContents(metadata: [Metadata.Key.deferredMigration: .bool(true)]),
      adding: """
        ALTER TABLE ZTASK ADD COLUMN
          "_DEFERRED_0C6B2F5E-2A35-4A61-9D0B-4B8E3A9F1C77__ZNOTE" VARCHAR;
        INSERT INTO ZTASK VALUES (1, 1, 1, 'Water', 'gone'), (2, 1, 1, 'Earth', NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Task';
        """)
  }

  private static let task =
    "<entity name=\"Task\"><attribute name=\"title\" attributeType=\"String\" optional=\"YES\"/>"
    + "</entity>"
}
