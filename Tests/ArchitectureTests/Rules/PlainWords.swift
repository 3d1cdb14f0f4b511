extension Rule {
  /// One word for one thing, and the usual one; `Glossary.md` says what each means.
  ///
  /// Names in code are free. Of a test, its comments and names are read, not its texts.
  static let plainWords = Rule(
    "comments, messages and documents say it in the usual words",
    refused: [
      SourceFile("Sources/SQLite/A.swift", "/// What becomes\n/// of it."),
      SourceFile("Sources/SQLite/B.swift", "let a = \"Nobody has \\(b)\""),
      SourceFile("Sources/Lua/A.swift", "let a = \"it was made \"\n  + \"of this\""),
      SourceFile("Sources/C/LuaHost/A.c", "// Nobody has it."),
      SourceFile("Sources/StorePipeline/A.lua", "-- It is made\n-- of this."),
      SourceFile("README.md", "It lies beside the store."),
      SourceFile("Tests/SQLiteTests/B.swift", "// It lies beside the store."),
      SourceFile("Tests/SQLiteTests/C.swift", "@Test(\"it lies beside the store\") func a() {"),
    ],
    allowed: [
      SourceFile("Sources/SQLite/C.swift", "let told = anew(beside: a)  // Besides, made. Of"),
      SourceFile("Sources/SQLite/D.swift", "let a = \"\\(told) is the current one, by hand\""),
      SourceFile("Sources/SQLite/E.swift", "// made\n// next of all"),
      SourceFile("Tests/SQLiteTests/A.swift", "let a = \"beside\"  // Nobody has it."),
    ],
    checkEach: { file in
      guard file.isBelow(["Sources/", "Tests/"]) || file.path.hasSuffix(".md") else { return [] }
      return unusual(in: file).map { phrase, line in
        file.offence(line, "`\(phrase.joined(separator: " "))`; write \(usual[phrase] ?? "")")
      }
    })

  /// What to write, by the words not to write.
  private static let usual = [
    ["anew"]: "again",
    ["became", "of"]: "happened to",
    ["become", "of"]: "happen to",
    ["becomes", "of"]: "happens to",
    ["beside"]: "next to, or in addition to",
    ["fed", "in"]: "retried",
    ["goes", "on"]: "continues, or resumes",
    ["gone", "on", "with"]: "resumed",
    ["held", "against"]: "compared with",
    ["in", "hand"]: "current",
    ["it", "is", "seen", "that"]: "the actor, and what it sees",
    ["made", "of"]: "made from, or consists of",
    ["mend"]: "correct, or repair",
    ["mended"]: "corrected, or repaired",
    ["nobody"]: "the actor, or the passive voice",
    ["parted"]: "separated, or split",
    ["set", "aside"]: "rejected",
    ["somebody"]: "the actor, or the passive voice",
    ["taken", "up"]: "read",
    ["told"]: "reported",
    ["went", "on"]: "continued, or resumed",
    ["what", "is", "to", "be", "known"]: "nothing",
  ]

  /// What a test may say all the same.
  private static let free = [["made", "of"], ["nobody"], ["somebody"]]

  private static let phrases = Dictionary(grouping: usual.keys, by: { $0[0] })

  /// The phrases that stand in a file, each with its line.
  private static func unusual(in file: SourceFile) -> [(phrase: [String], line: Int)] {
    let isTest = file.isBelow(["Tests/"])
    let prose = isTest && file.isSwift ? file.testProse : file.prose
    let words = SourceFile.words(of: prose)
    return words.indices.flatMap { index in
      let meant = phrases[words[index].text.lowercased()] ?? []
      return meant.filter { phrase in
        guard !isTest || !free.contains(phrase) else { return false }
        let found = words[index...].prefix(phrase.count)
        return found.map { $0.text.lowercased() } == phrase
          && zip(found, found.dropFirst()).allSatisfy { one, next in
            prose[one.range.upperBound..<next.range.lowerBound].allSatisfy(\.isBlank)
          }
      }.map { (phrase: $0, line: words[index].line) }
    }
  }
}

extension SourceFile {
  /// The lines of a test's comments and names; the others are empty.
  fileprivate var testProse: [UInt8] {
    let said = lines.map { line in
      let start = line.drop { $0 == " " }
      let isProse = ["//", "@Test(\"", "@Suite(\""].contains { start.hasPrefix($0) }
      return isProse ? line : ""
    }
    return SourceFile(path, said.joined(separator: "\n")).prose
  }

  /// Comments, literals and documents, byte for byte in their place; code is blank.
  ///
  /// So are the marks that stand between the words of a sentence that takes several lines.
  fileprivate var prose: [UInt8] {
    let space = UInt8(ascii: " ")
    let marks = Self.marks
    let text = lines.joined(separator: "\n").utf8.map { marks[Int($0)] ? space : $0 }
    guard !code.isEmpty else { return text }
    return zip(text, code).map { $1.isBlank ? $0 : space }
  }

  private static let marks = UInt8.flags { "/\\\"*-".utf8.contains($0) }
}
