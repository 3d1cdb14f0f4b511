internal import CoreDataStore
internal import StoreMigration

extension Sample {
  /// A store under the name and with the habits of SwiftData.
  static let swiftData = Sample(
    name: "swiftdata",
    summary: "A default.store as SwiftData writes it: a unique attribute, the history on.",
    models: "SwiftData/Trips.xcdatamodeld", pipeline: "swiftdata.pipeline"
  ) { stores in
    let contents = NewStoreContents(
      uuid: "9A0C3E55-1D0F-4B6A-A4C8-5E2D7F6B1A04", keepsHistory: true)
    try stores.make("default.store", version: "Trips", contents) { store in
      try fill(store, stores.size.of(200))
    }
    try FixtureHistory.note(
      stores.path("default.store"), try stores.schema("Trips"), author: "Trips", date: 720_000_000)
  }

  private static func fill(_ store: StoreFixture, _ count: Int) throws {
    var random = SampleRandom(7)
    for number in 1...count {
      let place = random.pick(["Kyoto", "Porto", "Cusco", "Bergen"])
      let start = 710_000_000 + Double(number) * 604_800
      let trip = try store.add(
        "Trip",
        [
          "name": .string("\(place) \(number)"), "destination": .string(place),
          "startDate": .date(start), "endDate": .date(start + 432_000),
        ])
      for wish in ["see the old town", "eat well"].prefix(number % 3) {
        try store.add(
          "BucketListItem",
          ["title": .string(wish), "isInPlan": .boolean(number.isMultiple(of: 2))],
          links: ["trip": [trip]])
      }
    }
  }
}
