internal import CoreDataStore
internal import StoreMigration

extension Sample {
  /// A store that is lost when its main file is copied alone.
  static let walTrap = Sample(
    name: "wal-trap",
    summary: "A ledger whose payments are in its -wal: the main file alone has three.",
    models: "WALTrap/Ledger.xcdatamodeld", pipeline: "wal-trap.pipeline"
  ) { stores in
    let contents = NewStoreContents(uuid: "2E6E2F0A-6B3D-4D55-9E0F-7C1A5B8E4403")
    let (first, all) = ("Ledger.sqlite", "Ledger-all.sqlite")
    for (name, count) in [(first, 3), (all, stores.size.of(2000))] {
      try stores.make(name, version: "Ledger", contents) { try fill($0, count) }
    }
    try PendingLog.leave(stores.path(first), becoming: stores.path(all))
  }

  private static func fill(_ store: StoreFixture, _ count: Int) throws {
    var random = SampleRandom(6)
    let accounts = try ["Household", "Holidays"].map {
      try store.add("Account", ["name": .string($0)])
    }
    for number in 1...count {
      let cents = 100 + Int(random.next() % 90_000)
      try store.add(
        "Payment",
        [
          "amount": .decimal("\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"),
          "day": .date(600_000_000 + Double(number / 3) * 86_400),
          "note": number % 4 == 0 ? .null : .string(random.pick(["rent", "bread", "books"])),
        ], links: ["account": [random.pick(accounts)]])
    }
  }
}
