import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Pairing of entities and objects", .temporaryFolder)
struct PairingTests {
  private static let old = """
    <entity name="Note"><attribute name="title" attributeType="String" optional="YES"/>
    <attribute name="rank" attributeType="Integer 16" optional="YES"/>
    <attribute name="done" attributeType="Boolean" optional="YES"/>
    <relationship name="folder" maxCount="1" optional="YES" destinationEntity="Folder" \
    inverseName="notes" inverseEntity="Folder"/></entity>
    <entity name="Folder"><attribute name="name" attributeType="String" optional="YES"/>
    <relationship name="notes" toMany="YES" optional="YES" destinationEntity="Note" \
    inverseName="folder" inverseEntity="Note"/></entity>
    """
  private static let new = """
    <entity name="Memo" elementID="Note">
    <attribute name="heading" attributeType="String" optional="YES" elementID="title"/>
    <attribute name="rank" attributeType="Integer 64" optional="YES"/>
    <attribute name="isPinned" attributeType="Boolean" optional="YES"/>
    <relationship name="binder" maxCount="1" optional="YES" destinationEntity="Folder" \
    elementID="folder" inverseName="notes" inverseEntity="Folder"/></entity>
    <entity name="Folder"><attribute name="name" attributeType="String" optional="YES"/>
    <relationship name="notes" toMany="YES" optional="YES" destinationEntity="Memo" \
    inverseName="binder" inverseEntity="Memo"/></entity>
    """
  private static let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Home'), (2, 1, 'Work');
    INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTITLE, ZRANK, ZDONE, ZFOLDER) VALUES (1, 2, 'Milk', 1, 1, 1),
      (2, 2, 'Bread', 2, NULL, 1), (3, 2, 'Tea', 3, NULL, 2);
    """

  @Test("stores of one version pair by name, whatever renaming identifiers say")
  func sameVersion() throws {
    let model = """
      <entity name="Queue" elementID="Engine">
      <attribute name="a" attributeType="String" optional="YES" elementID="b"/>
      <attribute name="b" attributeType="String" optional="YES"/>
      <relationship name="first" maxCount="1" optional="YES" destinationEntity="Engine" \
      elementID="second"/>
      <relationship name="second" maxCount="1" optional="YES" destinationEntity="Engine"/></entity>
      <entity name="Engine"><attribute name="a" attributeType="String" optional="YES"/></entity>
      """
    let rows = """
      INSERT INTO ZENGINE (Z_PK, Z_ENT, ZA) VALUES (1, 1, 'e');
      INSERT INTO ZQUEUE (Z_PK, Z_ENT, ZA, ZB, ZFIRST, ZSECOND) VALUES (1, 2, 'x', 'y', 1, NULL);
      """
    let sample = try ComparisonSample(model, model, rows: rows, secondRows: rows)
    #expect(try sample.compare().lines == [])
  }

  @Test("renamed entities, attributes and relationships are followed") func renamed() throws {
    let sample = try ComparisonSample(
      Self.old, Self.new, rows: Self.rows,
      secondRows: """
        INSERT INTO ZFOLDER (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Home'), (2, 1, 'Work');
        INSERT INTO ZMEMO (Z_PK, Z_ENT, ZHEADING, ZRANK, ZISPINNED, ZBINDER)
        VALUES (1, 2, 'Milk', 1, NULL, 1), (2, 2, 'Bread!', 2, 0, 2), (3, 2, 'Tea', 3, NULL, 2);
        """)
    let (lines, difference) = try sample.compare()
    #expect(
      lines == [
        "changed Memo 1: done boolean(true) -> absent",
        "changed Memo 2: heading 'Bread' -> 'Bread!'; isPinned absent -> boolean(false); "
          + "binder -Folder 1 +Folder 2",
      ])
    let memo = difference.entities[1]
    #expect(memo.name == "Memo" && memo.from == "Note" && memo.kept == 1)
    #expect(difference.metadata.map(\.key) == ["NSStoreModelVersionHashes"])
  }

  private static let shuffled = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, ZNAME) VALUES (7, 1, 'Work'), (8, 1, 'Home');
    INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTITLE, ZRANK, ZDONE, ZFOLDER) VALUES (9, 2, 'Milk', 1, 1, 8),
      (1, 2, 'Bread', 5, NULL, 8), (2, 2, 'Cake', 2, NULL, 7);
    """

  @Test("objects pair by an attribute, and links follow them") func byKey() throws {
    let sample = try ComparisonSample(Self.old, rows: Self.rows, secondRows: Self.shuffled)
    var choices = ComparisonChoices()
    choices.keys = [PropertyReference("Note", "title"), PropertyReference("Folder", "name")]
    let (lines, difference) = try sample.compare(choices)
    #expect(
      Set(lines) == [
        "changed Note 2: rank 2 -> 5",
        "removed Note 3: rank 3 -> absent; title 'Tea' -> absent; folder -Folder 2",
        "added Note 2: rank absent -> 2; title absent -> 'Cake'; folder +Folder 7",
      ])
    #expect(difference.entities.map(\.kept) == [2, 1])
  }

  @Test("values of several objects tell none of them apart") func repeated() throws {
    let sample = try ComparisonSample(
      Self.old, rows: Self.rows, second: "UPDATE ZNOTE SET ZTITLE = 'Milk'")
    var choices = ComparisonChoices()
    choices.keys = [PropertyReference("Note", "title")]
    let error = #expect(throws: Failure.self) { try sample.compare(choices) }
    #expect(error?.why.contains("One value is those of more than one") == true)
    #expect(error?.subject.hasSuffix("b.sqlite, Note.title") == true)
    choices.keys = [PropertyReference("Note", "titel")]
    #expect(
      #expect(throws: Failure.self) { try sample.compare(choices) }?.why.contains("title")
        == true)
  }

  @Test("one object pairs with its several results by what a run noted") func associations() throws
  {
    let path = TemporaryFolder.url.appending(path: "noted.sqlite").path
    let noted = try Connection(path: path, mode: .own(create: true))
    try noted.execute(
      """
      CREATE TABLE pipeline_objects (source_entity INTEGER, source INTEGER, entity INTEGER,
      object INTEGER, place INTEGER);
      INSERT INTO pipeline_objects VALUES (2, 1, 2, 1, 0), (2, 1, 2, 11, 1), (2, 2, 2, 2, 0),
        (2, 3, 1, 5, 0)
      """)
    try noted.close()
    let sample = try ComparisonSample(
      Self.old, rows: Self.rows,
      secondRows: """
        INSERT INTO ZFOLDER (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Home'), (2, 1, 'Work'),
          (5, 1, 'Tea');
        INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTITLE, ZRANK, ZDONE, ZFOLDER)
        VALUES (1, 2, 'Milk', 1, 1, 1), (2, 2, 'Bread', 2, NULL, 1), (11, 2, 'Milk II', 1, 1, 1);
        """)
    var choices = ComparisonChoices()
    choices.associations = path
    let (lines, difference) = try sample.compare(choices)
    #expect(
      Set(lines) == [
        "added Folder 5: name absent -> 'Tea'", "changed Note 1: title 'Milk' -> 'Milk II'",
        "removed Note 3: rank 3 -> absent; title 'Tea' -> absent; folder -Folder 2",
      ])
    #expect(difference.entities.map(\.kept) == [2, 2])
    var origins: [ObjectID?] = []
    _ = try StoreComparison(sample.first, sample.second, choices: choices).run { object in
      if object.change == .added { origins.append(object.source) }
    }
    #expect(origins == [ObjectID(entity: "Note", key: 3)])
  }

  @Test("external values are compared by what their files hold") func externals() throws {
    let name = "1B4E28BA-2FA1-11D2-883F-B9A761BDE3FB"
    let other = "2B4E28BA-2FA1-11D2-883F-B9A761BDE3FB"
    func reference(_ name: String) -> String {
      "x'02" + name.utf8.map { String($0, radix: 16) }.joined() + "00'"
    }
    let model = """
      <entity name="A"><attribute name="data" attributeType="Binary" optional="YES" \
      allowsExternalBinaryDataStorage="YES"/></entity>
      """
    let sample = try ComparisonSample(
      model,
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, ZDATA) VALUES (1, 1, \(reference(name))),
        (2, 1, \(reference(name))), (3, 1, \(reference(name))), (4, 1, \(reference(name)));
        """,
      second: """
        UPDATE ZA SET ZDATA = \(reference(other)) WHERE Z_PK = 2;
        UPDATE ZA SET ZDATA = x'01616263' WHERE Z_PK = 3; UPDATE ZA SET ZDATA = x'02' WHERE Z_PK = 4
        """)
    func put(_ store: String, _ name: String, _ text: String) throws {
      let folder = TemporaryFolder.url.appending(path: ".\(store)_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    try put("a", name, "abc")
    try put("b", name, "abc")
    try put("b", other, "abc")
    #expect(try sample.compare().lines.map { $0.prefix(11) } == ["changed A 4"])
    try put("b", name, "abd")
    #expect(try sample.compare().lines.map { $0.prefix(11) } == ["changed A 1", "changed A 4"])
    try put("b", other, "damaged")
    #expect(try sample.compare().lines.count == 3)
  }
}
