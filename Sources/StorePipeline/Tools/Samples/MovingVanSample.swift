internal import CoreDataStore
internal import StoreMigration

extension Sample {
  /// Pictures that leave the entity they are kept in.
  static let movingVan = Sample(
    name: "moving-van",
    summary: "Pictures move out of Item, into entities Photo and Thumbnail of their own.",
    models: "MovingVan/MovingVan.xcdatamodeld", pipeline: "moving-van.pipeline",
    scripts: ["moving_van_pictures.lua"]
  ) { stores in
    let contents = NewStoreContents(uuid: "0C5D5C34-2B6B-4C1A-9C4B-6E0C6C1E5A01")
    try stores.make("MovingVan.sqlite", version: "MovingVan", contents) { store in
      try MovingVan(size: stores.size).load(store)
    }
  }
}

private struct MovingVan {
  let size: Sample.Size

  private static let rooms = [
    ("Kitchen", 0), ("Living room", 0), ("Bedroom", 1), ("Study", 1), ("Attic", 2),
  ]
  private static let things = [
    "Lamp", "Clock", "Mirror", "Vase", "Radio", "Chair", "Kettle", "Globe", "Painting",
    "Typewriter",
  ]
  private static let words = ["blue", "red", "old", "small", "heavy", "brass", "oak", "glass"]

  func load(_ store: StoreFixture) throws {
    var random = SampleRandom(1)
    let rooms = try Self.rooms.map { name, floor in
      try store.add("Room", ["name": .string(name), "floor": .integer(Int64(floor))])
    }
    let boxes = try (1...size.of(100)).map { number in
      try store.add(
        "Box", ["label": .string("Box \(number)"), "number": .integer(Int64(number))],
        links: ["room": [rooms[number % rooms.count]]])
    }
    let pictures = SampleJPEG(seed: 2)
    let bytes = size == .small ? 30_000 : 600_000
    for number in 1...size.of(500) {
      try add(number, to: store, boxes, pictures.picture(bytes: bytes, &random), &random)
    }
  }

  /// One item in fifty has no picture.
  private func add(
    _ number: Int, to store: StoreFixture, _ boxes: [ObjectID], _ picture: [UInt8],
    _ random: inout SampleRandom
  ) throws {
    let name = "\(random.pick(Self.words)) \(random.pick(Self.things).lowercased()) \(number)"
    try store.add(
      "Item",
      [
        "name": .string(name), "added": .date(700_000_000 + Double(number) * 3600),
        "note": number % 3 == 0 ? .string("Handle with care.") : .null,
        "image": number % 50 == 7 ? .null : .binary(picture),
      ], links: ["box": [random.pick(boxes)]])
  }
}
