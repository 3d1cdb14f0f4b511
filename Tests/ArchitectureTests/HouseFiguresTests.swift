import Testing

/// How large the house is: what a newcomer has to find the way in.
///
/// `swift test --filter HouseFiguresTests` prints the table.
@Suite("The figures of the house")
struct HouseFiguresTests {
  /// One line of the table.
  private struct Figure {
    let name: String
    let value: Int
    /// What it must not exceed; nil where a new feature may add to it.
    var ceiling: Int?
  }

  private static let files = Result {
    try Repository.files.get().filter { $0.isSwift && $0.isBelow(["Sources/"]) }
  }

  @Test("what only makes it harder to find one's way in does not grow")
  func table() throws {
    let files = try Self.files.get()
    let types = files.flatMap(\.declaredTypes)
    let modules = Dictionary(grouping: files) { $0.path.split(separator: "/")[1] }
      .mapValues { $0.reduce(0) { $0 + $1.lines.count } }
    let figures = [
      Figure(name: "Swift files in Sources", value: files.count),
      Figure(name: "Swift lines in Sources", value: files.reduce(0) { $0 + $1.lines.count }),
      Figure(name: "top-level types", value: types.count),
      Figure(name: "public top-level types", value: Self.publicTypes(files), ceiling: 115),
      Figure(name: "largest module, lines", value: modules.values.max() ?? 0),
      Figure(
        name: "types named by one other file only", value: Self.lonelyTypes(files), ceiling: 260),
      Figure(
        name: "doc comments of five words or fewer", value: Self.shortComments(files),
        ceiling: 1050),
    ]
    for figure in figures { print("\(figure.name): \(figure.value)") }
    for figure in figures {
      #expect(figure.value <= figure.ceiling ?? .max, "\(figure.name)")
    }
  }

  private static func publicTypes(_ files: [SourceFile]) -> Int {
    let kinds: Set = ["struct", "class", "enum", "protocol", "actor"]
    return files.flatMap(\.codeLines).count { line in
      guard line.hasPrefix("public ") else { return false }
      return line.split(separator: " ").prefix(4).contains { kinds.contains(String($0)) }
    }
  }

  /// Types that one other file alone has a use for.
  private static func lonelyTypes(_ files: [SourceFile]) -> Int {
    var users: [String: Int] = [:]
    for file in files {
      let own = Set(file.declaredTypes)
      for word in Set(file.words.map(\.text)).subtracting(own) { users[word, default: 0] += 1 }
    }
    return files.flatMap(\.declaredTypes).count { users[$0] == 1 }
  }

  /// Doc comments, line by line one block, of five words or fewer.
  private static func shortComments(_ files: [SourceFile]) -> Int {
    files.reduce(0) { sum, file in
      var words = 0, count = 0
      for line in file.lines + [""] {
        let text = line.drop { $0 == " " }
        if text.hasPrefix("///") {
          words += text.split(separator: " ").count - 1
        } else {
          if (1...5).contains(words) { count += 1 }
          words = 0
        }
      }
      return sum + count
    }
  }
}
