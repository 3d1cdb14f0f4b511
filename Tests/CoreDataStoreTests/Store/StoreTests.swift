import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Looking at a store", .temporaryFolder) struct StoreTests {
  @Test("a store in rollback mode is read where it is, and nothing changes")
  func rollbackMode() throws {
    let path = try StoreSample.make()
    let before = try FolderState()
    do {
      let store = try Store(path)
      #expect(!store.isClone)
      #expect(store.metadata.uuid == StoreSample.uuid)
      #expect(try store.recognise(among: nil).known == .none)
    }
    #expect(try FolderState() == before)
  }

  @Test(
    "a -wal is read in memory or, when it is large, on a clone, with its rows; nothing changes",
    arguments: [1, 2 << 20])
  func pendingLog(length: Int) throws {
    let path = try StoreSample.make(journal: "WAL") { store in
      try store.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA wal_checkpoint(TRUNCATE)")
      try store.execute(
        "INSERT INTO ZPERSON VALUES (4, 1, 1, hex(zeroblob(\(length / 2))), NULL)")
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: samplePath("a.sqlite") + suffix, toPath: samplePath("b.sqlite") + suffix)
      }
    }
    #expect(FileManager.default.fileExists(atPath: path))
    let before = try FolderState()
    let clones = samplePath("clones")
    try FileManager.default.createDirectory(atPath: clones, withIntermediateDirectories: true)
    do {
      let store = try Store(samplePath("b.sqlite"), temporaryFolder: clones)
      #expect(store.isClone == (length > 1))
      #expect(store.files.walBytes ?? 0 > 0)
      #expect(try store.connection.integer("SELECT count(*) FROM ZPERSON") == 4)
      // The clone's folder, and the lock that says who has it.
      let names = try FileManager.default.contentsOfDirectory(atPath: clones).sorted()
      #expect(store.isClone ? names.count == 2 && names[1] == names[0] + ".lock" : names.isEmpty)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: clones).isEmpty)
    try FileManager.default.removeItem(atPath: clones)
    #expect(try FolderState() == before)
  }

  @Test("what a crash left in a -journal is rolled back on a clone, not in the store")
  func hotJournal() throws {
    let path = try StoreSample.make { store in
      // A cache of few pages: SQLite spills half of the transaction into the main file.
      try store.execute("PRAGMA cache_size = 5; BEGIN")
      try store.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO ZPERSON SELECT i + 100, 1, 1, printf('%0200d', i), NULL FROM n
        """)
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: samplePath("a.sqlite") + suffix, toPath: samplePath("crashed.sqlite") + suffix)
      }
      try store.execute("ROLLBACK")
    }
    #expect(FileManager.default.fileExists(atPath: path))
    let before = try FolderState()
    do {
      let store = try Store(samplePath("crashed.sqlite"))
      #expect(store.isClone)
      #expect(try store.connection.integer("SELECT count(*) FROM ZPERSON") == 3)
    }
    #expect(try FolderState() == before)
  }

  @Test("a store is found through a link, and its -wal next to the file itself")
  func link() throws {
    let path = try StoreSample.make("real.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: samplePath("link.sqlite"), withDestinationPath: path)
    let store = try Store(samplePath("link.sqlite"))
    #expect(store.files.name == "real.sqlite")
    #expect(store.files.supportFolder.hasSuffix("/.real_SUPPORT"))
  }

  @Test(
    "every store of the corpus stays as it is",
    .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)))
  func corpus() throws {
    for (number, store) in CorpusStores.all.enumerated() {
      let copy = try CorpusStores.copy(store, as: "\(number).sqlite")
      let before = try FolderState()
      _ = try Store(copy).recognise()
      #expect(try FolderState() == before, "\(store)")
    }
  }
}
