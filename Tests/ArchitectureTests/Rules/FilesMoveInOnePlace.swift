extension Rule {
  /// The most dangerous thing this program does has one address.
  static let filesMoveInOnePlace = Rule(
    "only the replacing of a store moves, shortens or deletes files",
    refused: [
      SourceFile("Sources/CoreDataStore/Store/A.swift", "try manager.removeItem(at: url)"),
      SourceFile("Sources/StorePipeline/A.swift", "Glibc.unlink(path)"),
      SourceFile("Sources/SQLite/A.swift", "let status = unsafe rename(a, b)"),
      SourceFile("Sources/C/LuaHost/a.c", "remove (name);"),
      SourceFile("Sources/pipeline/A.swift", "FileManager.default.moveItem"),
      SourceFile("Sources/StorePipeline/B.swift", "try FileMoves.remove(path)"),
      SourceFile("Sources/StoreMigration/A.swift", "try FileMoves.rename(a, to: b)"),
      SourceFile("Sources/OperatingSystem/A.swift", "let result = unsafe sh_unlink(path)"),
    ],
    allowed: [
      SourceFile("Sources/StoreReplacement/A.swift", "unlink(path); renameat(a, b, c, d)"),
      SourceFile(
        "Sources/StorePipeline/B.swift", "mapping.rename(a); items.remove(at: 0); let rename = 1"),
      SourceFile("Sources/StorePipeline/C.swift", "func rename(_ a: Int) {}  // unlink(a)"),
      SourceFile("Tests/SQLiteTests/A.swift", "try manager.removeItem(at: url)"),
      SourceFile("Sources/OperatingSystem/FileMoves.swift", "unsafe sh_rename(old, new)"),
    ],
    checkEach: { file in
      guard file.isBelow(["Sources/"]), !file.isBelow(doors) else { return [] }
      return file.offences("is for Sources/StoreReplacement") { word in
        if fileManagerCalls.contains(word.text) { return true }
        if word.text == "FileMoves" || hostCalls.contains(word.text) { return true }
        return fileSystemCalls.contains(word.text) && word.after == UInt8(ascii: "(")
          && word.isCFunction(in: file)
      }
    })

  /// The replacing of a store, the copies of stores that go with the process, the layers of what a
  /// run makes, and the calls.
  private static let doors = [
    "Sources/StoreReplacement/", "Sources/CoreDataStore/Store/TemporaryClone.swift",
    "Sources/CoreDataStore/Store/OwnedFolder.swift", "Sources/SQLite/OverlayLayer.swift",
    "Sources/OperatingSystem/FileMoves.swift",
    "Sources/C/SystemHost/",
  ]

  private static let hostCalls: Set = [
    "sh_rename", "sh_link_file", "sh_unlink", "sh_remove_folder",
  ]

  private static let fileManagerCalls: Set = [
    "moveItem", "removeItem", "replaceItem", "replaceItemAt", "trashItem",
  ]

  private static let fileSystemCalls: Set = [
    "exchangedata", "ftruncate", "remove", "removefile", "rename", "renameat", "renameat2",
    "renameatx_np", "renamex_np", "rmdir", "truncate", "unlink", "unlinkat",
  ]
}
