extension Rule {
  /// A file that needs chapters wants to be two files.
  static let fileIsShort = Rule(
    "a source file has at most 500 lines of at most 100 columns",
    refused: [
      SourceFile("Sources/SQLite/A.swift", String(repeating: "a\n", count: 501)),
      SourceFile("scripts/a.lua", String(repeating: "a", count: 101)),
      SourceFile("Sources/C/LuaHost/a.c", "\t" + String(repeating: "a", count: 93)),
    ],
    allowed: [
      SourceFile("Sources/SQLite/B.swift", String(repeating: "a\n", count: 500)),
      SourceFile("Sources/SQLite/C.swift", String(repeating: "ä", count: 100)),
      SourceFile("README.md", String(repeating: "a", count: 101)),
    ],
    checkEach: { file in
      guard file.isSwift || file.isC || file.path.hasSuffix(".lua") else { return [] }
      let wide = file.lines.indices.filter { columns(of: file.lines[$0]) > 100 }
      return wide.map { file.offence($0 + 1, "is \(columns(of: file.lines[$0])) columns wide") }
        + (file.lines.count > 500 ? [file.offence(501, "is past the ceiling of 500 lines")] : [])
    })

  /// A tab stands for eight columns, as terminals show it.
  private static func columns(of line: String) -> Int {
    line.reduce(0) { $0 + ($1 == "\t" ? 8 : 1) }
  }
}
