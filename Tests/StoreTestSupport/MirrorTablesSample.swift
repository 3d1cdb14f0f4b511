/// The tables of a store that is mirrored to CloudKit, according to documentation.
package enum MirrorTablesSample {
  private static let keys = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

  /// The tables with their indexes and their rows in Z_PRIMARYKEY, and a zone.
  package static let tables = """
    CREATE TABLE ANSCKRECORDMETADATA ( \(keys), ZENTITYID INTEGER, ZENTITYPK INTEGER, \
    ZLASTEXPORTEDTRANSACTIONNUMBER INTEGER, ZNEEDSCLOUDDELETE INTEGER, \
    ZNEEDSLOCALDELETE INTEGER, ZNEEDSUPLOAD INTEGER, ZPENDINGEXPORTCHANGETYPENUMBER INTEGER, \
    ZPENDINGEXPORTTRANSACTIONNUMBER INTEGER, ZENCODEDRECORDASSET INTEGER, ZRECORDZONE INTEGER, \
    ZSYSTEMFIELDSASSET INTEGER, ZCKRECORDNAME VARCHAR );
    CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK ON ANSCKRECORDMETADATA \
    (ZENTITYID COLLATE BINARY ASC, ZENTITYPK COLLATE BINARY ASC);
    CREATE INDEX ANSCKRECORDMETADATA_ZRECORDZONE_INDEX ON ANSCKRECORDMETADATA (ZRECORDZONE);
    CREATE TABLE ANSCKRECORDZONEMETADATA ( \(keys), ZCKRECORDZONENAME VARCHAR );
    CREATE TABLE ANSCKHISTORYANALYZERSTATE ( \(keys), ZENTITYID INTEGER, ZENTITYPK INTEGER );
    CREATE TABLE ANSCKMIRROREDRELATIONSHIP ( \(keys), ZISUPLOADED INTEGER, \
    ZCDENTITYNAME VARCHAR, ZRELATEDENTITYNAME VARCHAR, ZRELATIONSHIPNAME VARCHAR );
    CREATE TABLE ANSCKRECORDMETADATASYSTEMFIELDSASSET ( \(keys), ZBINARYDATA BLOB );
    INSERT INTO Z_PRIMARYKEY VALUES (17006, 'NSCKHistoryAnalyzerState', 0, 9),
      (17010, 'NSCKMirroredRelationship', 0, 9), (17012, 'NSCKRecordMetadata', 0, 99),
      (17015, 'NSCKRecordMetadataSystemFieldsAsset', 0, 9), (17016, 'NSCKRecordZoneMetadata', 0, 1);
    INSERT INTO ANSCKRECORDZONEMETADATA VALUES (1, 17016, 1, 'zone');
    INSERT INTO ANSCKRECORDMETADATASYSTEMFIELDSASSET VALUES (3, 17015, 1, x'0102FF');

    """

  /// The record of an object; `more` are further columns with their values.
  package static func record(
    _ key: Int, entity: Int, object: Int, _ more: [String: Int] = [:]
  ) -> String {
    let more = more.sorted { $0.key < $1.key }
    let names = more.map { ", \($0.key)" }.joined()
    let values = more.map { ", \($0.value)" }.joined()
    return """
      INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZCKRECORDNAME, \
      ZRECORDZONE\(names)) VALUES (\(key), 17012, 1, \(entity), \(object), 'r\(key)', 1\(values));

      """
  }
}
