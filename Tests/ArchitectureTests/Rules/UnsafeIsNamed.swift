extension Rule {
  /// Memory the compiler cannot vouch for is handled in the lowest layers alone.
  static let unsafeIsNamed = Rule(
    "only the lowest layers and named files say `unsafe`",
    refused: [
      SourceFile("Sources/StorePipeline/A.swift", "let a = unsafe b.pointee"),
      SourceFile("Sources/CoreDataStore/A.swift", "nonisolated(unsafe) var a = 0"),
    ],
    allowed: [
      SourceFile("Sources/SQLite/A.swift", "let a = unsafe b.pointee"),
      SourceFile("Sources/StorePipeline/B.swift", "let a = \"unsafe\"  // unsafe"),
    ],
    checkEach: { file in
      guard file.isSwift, !file.isBelow(pointerFolders), !pointerFiles.contains(file.path) else {
        return []
      }
      return file.offences("is for Sources/OperatingSystem, SQLite, Lua and Formats") {
        $0.text == "unsafe"
      }
    })

  /// The layers that stand on C, and what tests them.
  private static let pointerFolders = [
    "Sources/OperatingSystem/", "Sources/SQLite/", "Sources/Lua/", "Sources/Formats/",
    "Tests/SQLiteTests/", "Tests/LuaTests/", "Tests/FormatsTests/", "Tests/Fuzz/",
  ]

  /// Files elsewhere that have to.
  private static let pointerFiles: Set = [
    "Sources/StorePipeline/Run/RunThread.swift", "Sources/StorePrograms/SystemPrograms.swift",
    "Sources/StorePrograms/StandardStreams.swift",
    "Tests/TestSupport/Platform.swift", "Tests/Measure/Platform.swift",
    "Tests/PipelineCommandTests/Terminal/CancellationTests.swift",
  ]
}
