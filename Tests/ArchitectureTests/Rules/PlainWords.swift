extension Rule {
  /// One word for one thing, and the usual one; `Glossary.md` says what each means.
  ///
  /// Names in code are free, and so are the texts of tests.
  static let plainWords = Rule(
    "comments, messages and documents say it in the usual words",
    refused: [
      SourceFile("Sources/SQLite/A.swift", "/// What becomes\n/// of it."),
      SourceFile("Sources/SQLite/B.swift", "let a = \"Nobody has \\(b)\""),
      SourceFile("Sources/Lua/A.swift", "let a = \"it was held \"\n  + \"against it\""),
      SourceFile("Sources/C/LuaHost/A.c", "// The row in hand."),
      SourceFile("Sources/StorePipeline/A.lua", "-- It is made\n-- of this."),
      SourceFile("README.md", "It lies beside the store."),
    ],
    allowed: [
      SourceFile("Sources/SQLite/C.swift", "let told = anew(beside: a)  // Besides, made. Of"),
      SourceFile("Sources/SQLite/D.swift", "let a = \"\\(told) is the current one, by hand\""),
      SourceFile("Sources/SQLite/E.swift", "// made\n// next of all"),
      SourceFile("Tests/SQLiteTests/A.swift", "// Nobody told it."),
    ],
    checkEach: { file in
      guard file.isBelow(["Sources/"]) || file.path.hasSuffix(".md") else { return [] }
      return unusual(in: file).map { phrase, line in
        file.offence(line, "`\(phrase)`; write \(usual[phrase] ?? "another word")")
      }
    })

  /// What to write, by what not to write.
  private static let usual = [
    "anew": "again",
    "became of": "happened to",
    "become of": "happen to",
    "becomes of": "happens to",
    "beside": "next to, or in addition to",
    "fed in": "retried",
    "goes on": "continues, or resumes",
    "gone on with": "resumed",
    "held against": "compared with",
    "in hand": "current",
    "made of": "made from, or consists of",
    "nobody": "the actor, or the passive voice",
    "set aside": "rejected",
    "somebody": "the actor, or the passive voice",
    "taken up": "read",
    "told": "reported",
    "went on": "continued, or resumed",
    "what is to be known": "nothing",
    "whoever": "the actor, or the passive voice",
  ]

  private static let phrases = Dictionary(
    grouping: usual.keys.map { $0.split(separator: " ").map(String.init) }, by: { $0[0] })

  /// The phrases that stand in a file, each with its line.
  private static func unusual(in file: SourceFile) -> [(phrase: String, line: Int)] {
    let prose = file.prose
    let words = SourceFile.words(of: prose)
    return words.indices.flatMap { index in
      let meant = phrases[words[index].text.lowercased()] ?? []
      return meant.filter { phrase in
        let found = words[index...].prefix(phrase.count)
        return found.map { $0.text.lowercased() } == phrase
          && zip(found, found.dropFirst()).allSatisfy { one, next in
            prose[one.range.upperBound..<next.range.lowerBound].allSatisfy(\.isBlank)
          }
      }.map { (phrase: $0.joined(separator: " "), line: words[index].line) }
    }
  }
}

extension SourceFile {
  /// Comments, literals and documents, byte for byte in their place; code is blank.
  ///
  /// So are the marks that stand between the words of a sentence that takes several lines.
  fileprivate var prose: [UInt8] {
    let marks = Set("/\\\"*-".utf8)
    let space = UInt8(ascii: " ")
    let text = lines.joined(separator: "\n").utf8.map { marks.contains($0) ? space : $0 }
    guard !code.isEmpty else { return text }
    return zip(text, code).map { $1.isBlank ? $0 : space }
  }
}
