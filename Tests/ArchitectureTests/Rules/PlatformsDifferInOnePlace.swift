extension Rule {
  /// Who ports a layer reads one file.
  static let platformsDifferInOnePlace = Rule(
    "a layer tells platforms apart in its Platform.swift alone (platform.h in C)",
    refused: [
      SourceFile("Sources/Formats/Digest.swift", "#if canImport(CryptoKit)\n#endif"),
      SourceFile("Sources/pipeline/A.swift", "#if DEBUG\n#elseif os(macOS)\n#endif"),
      SourceFile("Sources/LuaHost/a.c", "#ifdef __APPLE__\n#endif"),
    ],
    allowed: [
      SourceFile("Sources/Formats/Platform.swift", "#if canImport(CryptoKit)\n#endif"),
      SourceFile("Sources/pipeline/CommandLine/Platform.swift", "#if os(macOS)\n#endif"),
      SourceFile("Sources/LuaHost/platform.h", "#ifdef __APPLE__\n#endif"),
      SourceFile("Sources/Formats/B.swift", "#if DEBUG\n#endif"),
      SourceFile("Tests/FormatsTests/A.swift", "#expect(ratios(1) == 1)"),
    ],
    check: { files in
      let tellers = files.filter { !$0.platformLines.isEmpty }
      let strangers = tellers.filter { !["Platform.swift", "platform.h"].contains($0.name) }
      let homes = Dictionary(grouping: tellers.filter { !strangers.map(\.path).contains($0.path) })
      {
        $0.layer + ($0.isSwift ? ".swift" : ".h")
      }
      return strangers.flatMap { file in
        file.platformLines.map { file.offence($0, "tells platforms apart outside Platform.swift") }
      }
        + homes.values.flatMap { $0.dropFirst() }
        .map { $0.offence(1, "\($0.layer) has a second \($0.name)") }
    })
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
