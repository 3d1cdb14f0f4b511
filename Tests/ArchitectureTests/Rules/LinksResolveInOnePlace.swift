extension Rule {
  /// Two functions that resolve links differ on macOS: Foundation's takes "/private" away.
  static let linksResolveInOnePlace = Rule(
    "links are resolved by OperatingSystem alone, and time limits are its deadlines",
    refused: [
      SourceFile("Sources/SQLite/A.swift", "let a = url.resolvingSymlinksInPath()"),
      SourceFile("Tests/SQLiteTests/A.swift", "let a = unsafe realpath(path, nil)"),
      SourceFile("Sources/SQLite/B.swift", "while ContinuousClock.now < end {}"),
      SourceFile("Sources/SQLite/C.swift", "let end = ContinuousClock.now + limit"),
    ],
    allowed: [
      SourceFile("Sources/SQLite/D.swift", "let a = try FileSystem.realPath(path)  // realpath"),
      SourceFile("Sources/SQLite/E.swift", "let seconds = ContinuousClock.now - start"),
    ],
    checkEach: { file in
      guard file.isSwift else { return [] }
      let resolved = file.offences("resolves links in another way than FileSystem") {
        ["resolvingSymlinksInPath", "resolveSymlinksInPath", "realpath"].contains($0.text)
      }
      return resolved
        + file.codeLines.indices.filter { isLimit(file.codeLines[$0]) }.map {
          file.offence($0 + 1, "a limit that runs while the machine sleeps; take a Deadline")
        }
    })

  private static func isLimit(_ line: String) -> Bool {
    ["ContinuousClock.now +", "ContinuousClock.now <", "ContinuousClock.now >"].contains {
      line.contains($0)
    }
  }
}
