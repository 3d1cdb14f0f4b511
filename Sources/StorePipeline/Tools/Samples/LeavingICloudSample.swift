internal import CoreDataStore
internal import Formats
internal import StoreMigration

extension Sample {
  /// A store that was synchronised through iCloud's documents, which no system does any more.
  static let leavingICloud = Sample(
    name: "leaving-icloud",
    summary: "A diary with the metadata of a sync that is gone, a history, and a pending -wal.",
    models: "LeavingICloud/Diary.xcdatamodeld", pipeline: "leaving-icloud.pipeline"
  ) { stores in
    let contents = NewStoreContents(
      uuid: "7F1B2D0E-3C59-4E47-8D7A-2A3C3F0B9D02", keepsHistory: true, metadata: leftovers)
    let (first, all) = ("Diary.sqlite", "Diary-all.sqlite")
    for (name, count) in [(first, 3), (all, stores.size.of(2000))] {
      try stores.make(name, version: "Diary", contents) { try fill($0, count) }
      try FixtureHistory.note(
        stores.path(name), try stores.schema("Diary"), author: "Diary", date: 600_000_000)
    }
    try PendingLog.leave(stores.path(first), becoming: stores.path(all))
  }

  /// What the sync has left behind, and an option that has no meaning without it.
  private static let leftovers: [String: PropertyList] = [
    "com.apple.coredata.ubiquity.ubiquitized": .bool(true),
    "com.apple.coredata.ubiquity.token": .string("~0B6F2C2E1A"),
    "com.apple.coredata.ubiquity.baseline.timestamp": .integer(1_432_000_000),
    "DiarySyncToken": .data([0x62, 0x70, 0x6C, 0x69, 0x73, 0x74]),
    "DiaryFirstOpened": .string("2013-10-22"),
  ]

  private static func fill(_ store: StoreFixture, _ count: Int) throws {
    var random = SampleRandom(3)
    let places = try [("Rome", 41.9, 12.5), ("Oslo", 59.9, 10.75), ("Lima", -12.05, -77.05)].map {
      try store.add(
        "Place", ["name": .string($0), "latitude": .real($1), "longitude": .real($2)])
    }
    for day in 1...count {
      try store.add(
        "Entry",
        [
          "text": .string("Day \(day): \(random.pick(["a walk", "rain", "a letter", "at sea"]))."),
          "weather": .string(random.pick(["sun", "cloud", "wind"])),
          "written": .date(400_000_000 + Double(day) * 86_400),
        ], links: ["place": [random.pick(places)]])
    }
  }
}
