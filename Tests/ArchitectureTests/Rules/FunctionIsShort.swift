extension Rule {
  /// Beyond 60 lines code visibly tires.
  static let functionIsShort = Rule(
    "no function is longer than 60 lines",
    refused: [
      SourceFile("Sources/SQLite/A.swift", "func a() {\(blank(60))}"),
      SourceFile("Sources/C/LuaHost/a.c", "int a(void)\n{\(blank(59))}"),
    ],
    allowed: [SourceFile("Sources/SQLite/B.swift", "func a() {\(blank(59))}")],
    checkEach: { file in
      file.functions().filter { $0.length > 60 }
        .map { file.offence($0.line, "a function of \($0.length) lines; the ceiling is 60") }
    })

  /// One long function may be right; many are a habit.
  static let mostFunctionsAreShort = Rule(
    "of twenty functions in Sources nineteen have at most 35 lines",
    refused: [SourceFile("Sources/SQLite/A.swift", functions(long: 2, short: 18))],
    allowed: [SourceFile("Sources/SQLite/B.swift", functions(long: 1, short: 19))],
    check: { files in
      let found = files.filter { $0.isBelow(["Sources/"]) }
        .flatMap { file in file.functions().map { (file: file, function: $0) } }
      let long = found.filter { $0.function.length > 35 }
      guard long.count * 20 > found.count else { return [] }
      return long.map { $0.file.offence($0.function.line, "has \($0.function.length) lines") }
    })

  private static func blank(_ lines: Int) -> String { String(repeating: "\n", count: lines) }

  private static func functions(long: Int, short: Int) -> String {
    String(repeating: "func a() {\(blank(35))}\n", count: long)
      + String(repeating: "func b() {}\n", count: short)
  }
}
