import Foundation

/// What is measured, on how much, and with what: words of the form NAME=VALUE.
struct BenchOptions {
  /// The rows of W1; W3 has a fifth as many.
  var rows = 200_000
  /// The pictures of W2.
  var pictures = 200
  /// How often everything has its turn.
  var rounds = 5
  /// The sizes at which growth is looked at; none for a tenth of the rows, and the rows.
  var growth: [Int] = []
  /// The numbers of entities at which growth is looked at.
  var entities = [10, 300]
  /// The stores of a fleet.
  var stores = 300
  /// The keys that are looked up or made.
  var keys = 20_000
  /// For how many seconds a store is left alone before ours migrates it as a user would.
  var rest = 3.0
  /// Measure only what has this in its name, or what the goal of this name needs; empty for all.
  var filter = ""
  /// Parts that are left out.
  var skipped: Set<String> = []
  /// Measure at full size.
  var isFull = false
  /// Add the goals that are reached for the first time to the list of those.
  var records = false
  /// The list of the goals that were reached once.
  var record = "Tests/Benchmarks/Goals/reached.json"
  /// Where the stores are made and migrated.
  var folder = ".build/bench"
  /// The built programs.
  var programs = "."
  /// The scripts and programs of the peers.
  var peers = "Tests/Benchmarks/Peers"
  /// Where packages for Python were installed.
  var python = ".build/peers/bin/python"
  /// Where the figures go, as JSON; empty for nowhere.
  var json = ""
  /// Where the plot goes; empty for nowhere.
  var plot = ""
  /// Where the page of the documentation goes; empty for nowhere.
  var page = ""

  /// Takes the words one after the other; a number that is none, or a name unknown, is an error.
  init(_ words: some Sequence<String>) throws {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw BenchError("'\(word)' is not NAME=VALUE") }
      try set(String(parts[0]), String(parts[1]))
    }
  }

  private mutating func set(_ name: String, _ value: String) throws {
    switch name {
    // First of all, as what follows may change a part of it.
    case "size": try value.split(separator: ",").forEach { try take(String($0)) }
    case "filter": filter = value
    case "folder": folder = value
    case "programs": programs = value
    case "peers": peers = value
    case "record": record = value
    case "python": python = value
    case "json": json = value
    case "plot": plot = value
    case "page": page = value
    default:
      // A variable of the Makefile that was not set.
      guard !value.isEmpty else { return }
      guard let number = Int(value), number > 0 else {
        throw BenchError("\(name) takes a number, not '\(value)'")
      }
      try set(name, number)
    }
  }

  private mutating func set(_ name: String, _ number: Int) throws {
    switch name {
    case "rows": rows = number
    case "pictures": pictures = number
    case "rounds": rounds = number
    case "stores": stores = number
    case "keys": keys = number
    default: throw BenchError("there is no option '\(name)'")
    }
  }

  private mutating func take(_ word: String) throws {
    switch word {
    case "record": records = true
    case "full":
      isFull = true
      (rows, pictures, rounds) = (1_000_000, 500, 3)
      (growth, entities) = ([100_000, 1_000_000, 10_000_000], [10, 1000])
      (stores, keys) = (10_000, 60_000)
    default: throw BenchError("a size is full, record or both with a comma, not '\(word)'")
    }
  }

  /// The sizes at which growth is looked at.
  var sizes: [Int] { growth.isEmpty ? [max(1, rows / 10), rows] : growth }

  /// Whether a part is asked for: by its name, or by a goal that needs it.
  func wants(_ part: String) -> Bool {
    guard !skipped.contains(part) else { return false }
    return filter.isEmpty || part.localizedStandardContains(filter)
      || Findings().goals.contains { $0.isCalled(filter) && $0.parts.contains(part) }
  }

  /// Whether a goal is asked for: by its name, or by a part that it needs.
  func wants(_ goal: Goal) -> Bool {
    filter.isEmpty || goal.isCalled(filter)
      || goal.parts.contains { $0.localizedStandardContains(filter) }
  }
}
