internal import CoreDataStore
internal import StoreMigration

extension Sample {
  /// What the page of getting started migrates: the first of three versions of an app's notes.
  static let notes = Sample(
    name: "notes",
    summary: "Notes at the first of three versions: what Getting Started migrates.",
    models: "ThreeVersions/Notes.xcdatamodeld", pipeline: "upgrade.pipeline",
    scripts: ["notes_priority.lua", "notes_people.lua"]
  ) { stores in
    let contents = NewStoreContents(uuid: "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11")
    try stores.make("Notes.sqlite", version: "Notes", contents) { store in
      var random = SampleRandom(6)
      let folders = try ["Home", "Work"].map { try store.add("Folder", ["name": .string($0)]) }
      let shop = try store.add("Tag", ["name": .string("shop")])
      for number in 0..<stores.size.of(120) {
        try store.add(
          "Note", note(number, &random),
          links: [
            "folder": [folders[number % 3 == 2 ? 1 : 0]], "tags": number % 3 == 2 ? [] : [shop],
          ])
      }
    }
  }

  /// The first three are those that the pages show.
  private static func note(
    _ number: Int, _ random: inout SampleRandom
  ) -> [String: AttributeValue] {
    let shown: [(title: String, text: String?, priority: String?, author: String)] = [
      ("Milk", "two litres", "high", "Ada"), ("Bread", nil, nil, "Ada"),
      ("Report", "by Friday", "low", "Grace"),
    ]
    let made = (
      title: "Note \(number + 1)", text: "What was thought on day \(number + 1)." as String?,
      priority: random.pick(["high", "low", nil]), author: random.pick(["Ada", "Grace", "Alan"])
    )
    let chosen = number < shown.count ? shown[number] : made
    var values: [String: AttributeValue] = [
      "title": .string(chosen.title), "created": .date(700_000_000 + Double(number) * 60),
      "done": .boolean(number % 3 == 1), "author": .string(chosen.author),
    ]
    values["text"] = chosen.text.map { .string($0) }
    values["priority"] = chosen.priority.map { .string($0) }
    return values
  }
}
