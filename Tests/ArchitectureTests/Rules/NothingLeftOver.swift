extension Rule {
  /// What is missing is an issue, and what can fail says so.
  static let nothingLeftOver = Rule(
    "no note to self, no mark of a merge, no `try!`, no `as!`, no `fatalError`",
    refused: [
      SourceFile("Sources/SQLite/A.swift", "// TO" + "DO: later"),
      SourceFile("Makefile", "# FIX" + "ME"),
      SourceFile(".ci/run", "<<<<" + "<<< HEAD"),
      SourceFile("Sources/SQLite/B.swift", "let a = try! b()"),
      SourceFile("Tests/SQLiteTests/A.swift", "let a = b as! C"),
      SourceFile("Sources/Lua/A.swift", "fatalError(\"a\")"),
    ],
    allowed: [
      SourceFile("Sources/SQLite/C.swift", "let a = try b() as? C, d = try? e()  // todos"),
      SourceFile("Sources/Lua/C.swift", "let a = \"try!\""),
    ],
    checkEach: { file in
      let notes = file.lines.indices.filter { index in
        file.lines[index].split { !$0.isLetter }.contains { notesToSelf.contains(String($0)) }
      }
      let marks = file.lines.indices.filter { file.lines[$0].hasPrefix(mergeMark) }
      return notes.map { file.offence($0 + 1, "a note to self; write an issue") }
        + marks.map { file.offence($0 + 1, "a merge that was not finished") }
        + file.offences("ends the process") { word in
          ["try", "as"].contains(word.text) && file.byte(after: word) == UInt8(ascii: "!")
            || word.text == "fatalError"
        }
    })

  private static let mergeMark = "<<<<" + "<<< "

  private static let notesToSelf: Set = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]
}

extension SourceFile {
  /// The byte right behind a word; 0 at the end.
  fileprivate func byte(after word: Word) -> UInt8 {
    word.range.upperBound < code.count ? code[word.range.upperBound] : 0
  }
}
