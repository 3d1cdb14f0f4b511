internal import CoreDataStore
internal import Formats
internal import Foundation
internal import StoreMigration

extension Sample {
  /// One application at four times of its life.
  static let fourVersions = Sample(
    name: "four-versions",
    summary: "A journal at its four versions, each of which goes to the newest in one run.",
    models: "FourVersions/Journal.xcdatamodeld", pipeline: "four-versions.pipeline",
    scripts: ["journal_names.lua"]
  ) { stores in
    for version in 1...4 {
      let contents = NewStoreContents(uuid: "5D1F7A10-93C4-4E0B-8F2E-0B7A4C9D300\(version)")
      let name = version == 1 ? "Journal" : "Journal \(version)"
      try stores.make("\(name).sqlite", version: name, contents) { store in
        try Journal(version: version, notes: stores.size.of(400)).write(to: store)
      }
    }
  }
}

/// What is in the journal; the same in each version, as far as it has a place for it.
private struct Journal {
  let version: Int
  let notes: Int

  private static let people = [
    "Ada Lovelace", "Grace Brewster Hopper", "Alan Turing", "Euclid",
  ]
  private static let words = ["draft", "idea", "garden", "travel", "recipe"]

  private var book: String { version == 1 ? "Folder" : "Notebook" }
  private var bookLink: String { version == 1 ? "folder" : "notebook" }

  func write(to store: StoreFixture) throws {
    var random = SampleRandom(4)
    let books = try ["Home", "Work"].map { try store.add(book, ["name": .string($0)]) }
    var last: ObjectID?
    for number in 1...notes {
      let words = Array(Self.words.shuffled(using: &random).prefix(Int(random.next() % 4)))
      let author = random.pick(Self.people)
      last = try store.add(
        "Note", try attributes(number, author, words),
        links: try links(number, books, words, store))
    }
    try addSketches(to: store, books, &random)
    try shareKeyword(last, store)
  }

  private func attributes(
    _ number: Int, _ author: String, _ words: [String]
  ) throws -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [
      "title": .string("Note \(number)"), "created": .date(500_000_000 + Double(number) * 600),
      version == 1 ? "text" : "body": .string("What was thought on day \(number)."),
    ]
    let names = author.split(separator: " ").map(String.init)
    if version < 3 {
      values["author"] = .string(author)
      let list = PropertyList.array(words.map { .string($0) })
      values["keywords"] = .transformable(try KeyedArchiveWriter.write(list))
    } else {
      values["familyName"] = names.last.map { .string($0) }
      values["givenName"] = .string(names.dropLast().joined(separator: " "))
    }
    return values
  }

  private func links(
    _ number: Int, _ books: [ObjectID], _ words: [String], _ store: StoreFixture
  ) throws -> [String: [ObjectID]] {
    var links = [bookLink: [books[number % books.count]]]
    // In version 3 each note has keywords of its own; in version 4 none is spelled like another.
    if version == 3 {
      links["words"] = try words.map { try store.add("Keyword", ["word": .string($0)]) }
    }
    return links
  }

  private func addSketches(
    to store: StoreFixture, _ books: [ObjectID], _ random: inout SampleRandom
  ) throws {
    let pictures = SampleJPEG(seed: 5)
    // The second is large enough for a file of its own.
    for (number, bytes) in [40_000, 200_000].enumerated() {
      try store.add(
        "Sketch",
        [
          "title": .string("Sketch \(number + 1)"), "created": .date(500_000_000),
          "drawing": .binary(pictures.picture(bytes: bytes, &random)),
        ], links: [bookLink: [books[0]]])
    }
  }

  private func shareKeyword(_ note: ObjectID?, _ store: StoreFixture) throws {
    guard version == 4, let note else { return }
    try store.add("Keyword", ["word": .string("idea")], links: ["notes": [note]])
  }
}
