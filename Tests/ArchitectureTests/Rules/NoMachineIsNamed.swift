extension Rule {
  /// What works on one machine only is not finished.
  static let noMachineIsNamed = Rule(
    "no file holds a path of somebody's machine",
    refused: [
      SourceFile("README.md", "see /ho" + "me/a/b"),
      SourceFile("Makefile", "cd \"/Use" + "rs/a\""),
      SourceFile("Sources/SQLite/A.swift", "let a = \"/ro" + "ot/a\""),
    ],
    allowed: [
      SourceFile("CHANGELOG.md", "$HOME/a, https://example.org/ho" + "me/, Sources/ro" + "ot/a")
    ],
    checkEach: { file in
      file.lines.indices.filter { namesMachine(file.lines[$0]) }
        .map { file.offence($0 + 1, "names a folder of one machine") }
    })

  private static func namesMachine(_ line: String) -> Bool {
    let parts = line.split(separator: "/", omittingEmptySubsequences: false)
    // A path is absolute where nothing that could be part of a path stands before its slash; the
    // last part has no slash behind it and is no folder.
    return zip(parts, parts.dropFirst().dropLast()).contains { before, folder in
      homes.contains(String(folder)) && !(before.last.map(canStandInPath) ?? false)
    }
  }

  private static func canStandInPath(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "._-~)}*".contains(character)
  }

  private static let homes: Set = ["home", "Users", "root", "Volumes", "workspace", "workspaces"]
}
