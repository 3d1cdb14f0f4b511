extension Rule {
  /// A port to another system changes few files: the system's calls differ in C, in headers named
  /// platform.h, Formats has its digests and its XML from other libraries on each system, and the
  /// manifest says where libraries are.
  static let platformsDifferInOnePlace = Rule(
    "only the manifest, Formats/Platform.swift and headers named platform.h depend on the platform",
    refused: [
      SourceFile("Sources/Formats/Digest.swift", "#if canImport(CryptoKit)\n#endif"),
      SourceFile("Sources/pipeline/A.swift", "#if DEBUG\n#elseif os(macOS)\n#endif"),
      SourceFile("Sources/pipeline/Platform.swift", "#if os(macOS)\n#endif"),
      SourceFile("Sources/C/LuaHost/a.c", "#ifdef __APPLE__\n#endif"),
    ],
    allowed: [
      SourceFile("Sources/Formats/Platform.swift", "#if canImport(CryptoKit)\n#endif"),
      SourceFile("Package.swift", "#if os(macOS)\n#endif"),
      SourceFile("Sources/C/LuaHost/platform.h", "#ifdef __APPLE__\n#endif"),
      SourceFile("Sources/Formats/B.swift", "#if DEBUG\n#endif"),
      SourceFile("Tests/FormatsTests/A.swift", "#expect(ratios(1) == 1)"),
    ],
    checkEach: { file in
      let isOfTests = file.isBelow(["Tests/"]) && file.name == "Platform.swift"
      if isOfTests || file.name == "platform.h" || homes.contains(file.path) { return [] }
      return file.platformLines.map {
        file.offence($0, "depends on the platform outside the files for that")
      }
    })

  private static let homes: Set = ["Package.swift", "Sources/Formats/Platform.swift"]
}

extension SourceFile {
  /// The lines on which the code depends on the platform.
  fileprivate var platformLines: [Int] {
    let questions = isSwift ? ["os(", "canImport("] : ["__APPLE__", "__linux__", "_WIN32"]
    return codeLines.indices.filter { index in
      ["#if", "#el"].contains { codeLines[index].contains($0) }
        && questions.contains { codeLines[index].contains($0) }
    }.map { $0 + 1 }
  }
}
