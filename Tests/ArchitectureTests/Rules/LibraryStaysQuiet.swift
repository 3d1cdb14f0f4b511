extension Rule {
  /// A program that links the library keeps its output and its life.
  static let libraryStaysQuiet = Rule(
    "the library prints nothing and never ends the process",
    refused: [
      SourceFile("Sources/StorePipeline/A.swift", "print(a)"),
      SourceFile("Sources/CoreDataStore/A.swift", "Glibc.exit(1)"),
      SourceFile("Sources/C/LuaHost/a.c", "if (!a) abort();"),
      SourceFile("Sources/C/LuaHost/b.c", "fprintf(stderr, a);"),
    ],
    allowed: [
      SourceFile("Sources/pipeline/A.swift", "print(a); exit(2)"),
      SourceFile("Sources/StorePipeline/B.swift", "run.abort(); func exit(_ a: Int) {}"),
      SourceFile("Sources/C/LuaHost/c.c", "snprintf(a, 1, \"puts(\"); print(b); // exit(1)"),
      SourceFile("Tests/SQLiteTests/A.swift", "_exit(9)"),
    ],
    checkEach: { file in
      guard file.isBelow(["Sources/"]), !file.isBelow(["Sources/pipeline/"]) else { return [] }
      return file.offences("is for the command alone") { word in
        let isLoud =
          loudCalls.contains(word.text) || file.isSwift && loudSwiftCalls.contains(word.text)
        return isLoud && word.after == UInt8(ascii: "(") && word.isCFunction(in: file)
      }
    })

  private static let loudCalls: Set = [
    "_Exit", "_exit", "abort", "exit", "fprintf", "fputs", "perror", "printf", "putchar", "puts",
    "quick_exit", "vfprintf", "vprintf",
  ]

  private static let loudSwiftCalls: Set = ["debugPrint", "dump", "print"]
}
