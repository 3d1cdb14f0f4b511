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
  /// Measure only what has this in its name; empty for all.
  var filter = ""
  /// Measure at full size, instructions included.
  var isFull = false
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
    case "size": if value == "full" { takeFull() }
    case "filter": filter = value
    case "folder": folder = value
    case "programs": programs = value
    case "peers": peers = value
    case "python": python = value
    case "json": json = value
    case "plot": plot = value
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
    default: throw BenchError("there is no option '\(name)'")
    }
  }

  private mutating func takeFull() {
    isFull = true
    (rows, pictures, rounds) = (1_000_000, 500, 3)
    growth = [100_000, 1_000_000, 10_000_000]
  }

  /// The sizes at which growth is looked at.
  var sizes: [Int] { growth.isEmpty ? [max(1, rows / 10), rows] : growth }

  /// Whether a part is asked for.
  func wants(_ name: String) -> Bool { filter.isEmpty || name.localizedStandardContains(filter) }
}
