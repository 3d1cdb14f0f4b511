extension Rule {
  /// Two functions that resolve links differ on macOS: Foundation's takes "/private" away.
  static let linksResolveInOnePlace = Rule(
    "links are resolved by OperatingSystem alone, and time limits are its deadlines",
    refused: [
      SourceFile("Sources/SQLite/A.swift", "let a = url.resolvingSymlinksInPath()"),
      SourceFile("Tests/SQLiteTests/A.swift", "let a = unsafe realpath(path, nil)"),
      SourceFile("Sources/SQLite/B.swift", "while ContinuousClock.now < end {}"),
      SourceFile("Sources/SQLite/C.swift", "let end = ContinuousClock.now + limit"),
      SourceFile("Sources/SQLite/F.swift", "if ContinuousClock.now - told > .seconds(1) {}"),
      SourceFile("Sources/SQLite/G.swift", "private var end: ContinuousClock.Instant"),
      SourceFile("Sources/SQLite/H.swift", "let clock = ContinuousClock()"),
      SourceFile("Sources/SQLite/I.swift", "try await Task.sleep(for: limit, clock: .continuous)"),
    ],
    allowed: [
      SourceFile("Sources/SQLite/D.swift", "let a = try FileSystem.realPath(path)  // realpath"),
      SourceFile("Sources/SQLite/E.swift", "let seconds = ContinuousClock.now - start"),
      SourceFile("Sources/SQLite/J.swift", "let start = ContinuousClock.now"),
      SourceFile("Sources/SQLite/K.swift", "let a = Deadline(in: limit)  // no ContinuousClock()"),
      SourceFile("Tests/LuaTests/A.swift", "#expect(ContinuousClock.now - start < .seconds(1))"),
    ],
    checkEach: { file in
      guard file.isSwift else { return [] }
      let resolved = file.offences("resolves links in another way than FileSystem") {
        ["resolvingSymlinksInPath", "resolveSymlinksInPath", "realpath"].contains($0.text)
      }
      let isSource = file.isBelow(["Sources/"])
      return resolved
        + file.codeLines.indices.filter { index in
          let line = file.codeLines[index]
          return isSource ? isNoDuration(line) : isLimit(line)
        }.map {
          file.offence($0 + 1, "a limit that runs while the machine sleeps; take a Deadline")
        }
    })

  /// Whether a line of the sources takes the clock for more than the seconds since a start.
  private static func isNoDuration(_ line: String) -> Bool {
    let isStart = line.hasSuffix("let start = ContinuousClock.now")
    let isDuration = line.contains("seconds") && line.contains("ContinuousClock.now - ")
    let isCompared = [" < ", " > ", " <= ", " >= "].contains { line.contains($0) }
    let isNamed = line.contains("ContinuousClock") || line.contains("clock: .continuous")
    return isNamed && !isStart && (!isDuration || isCompared)
  }

  /// Whether a line takes the clock for a limit; a test may compare how long something took
  /// with what it expects.
  private static func isLimit(_ line: String) -> Bool {
    ["ContinuousClock.now +", "ContinuousClock.now <", "ContinuousClock.now >"].contains {
      line.contains($0)
    }
  }
}
