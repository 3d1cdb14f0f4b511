extension Rule {
  /// Inside a layer, too, a reader can start at the bottom and needs nothing from above.
  static let foldersPointOneWay = Rule(
    "a folder of a layer names types of the folders before it alone",
    refused: [
      SourceFile("Sources/StoreReplacement/WorkFolder/A.swift", "let swap = Swap(folder, state)"),
      SourceFile("Sources/StoreMigration/Copy/A.swift", "let found: StepVerification"),
      SourceFile("Sources/StoreMigration/Elsewhere/A.swift", "let a = 1"),
      SourceFile("Sources/StorePipeline/Run/A.swift", "let stage = SwapStage()"),
    ],
    allowed: [
      SourceFile("Sources/StoreReplacement/Swap/A.swift", "let lock = try RunLock(folder)"),
      SourceFile("Sources/StoreReplacement/Backup/A.swift", "/// See ``Swap``.\nlet a = \"Swap\""),
      SourceFile("Sources/StorePipeline/Run/A.swift", "let swap = Swap(folder, state)"),
    ],
    checkEach: { file in
      guard file.isSwift, file.isBelow(["Sources/"]), let order = orders[file.layer] else {
        return []
      }
      guard let folder = file.folder, let own = order.firstIndex(of: folder) else {
        return [file.offence(1, "lies in a folder that has no place in the order of its layer")]
      }
      return file.offences("is of a folder above \(folder)") { word in
        guard let other = places[word.text], other.layer == file.layer,
          let above = order.firstIndex(of: other.folder)
        else { return false }
        return above > own && word.before != UInt8(ascii: ".")
      }
    })

  /// The folders of each layer, lowest first.
  private static let orders = [
    "Sources/CoreDataStore": ["Failure", "Model", "Store"],
    "Sources/StoreReplacement": ["WorkFolder", "Snapshot", "Backup", "Swap"],
    "Sources/StoreMigration": [
      "Mapping", "Condition", "Copy", "Validation", "Preflight", "Verification", "Comparison",
      "Loss", "Fixtures",
    ],
    "Sources/StorePipeline": [
      "Text", "Options", "Script", "Pipeline", "Plan", "Report", "Run", "Stages", "Tools",
    ],
  ]

  /// Where each type of the project's own is declared.
  private static let places = {
    var places: [String: (layer: String, folder: String)] = [:]
    for file in (try? Repository.files.get()) ?? [] where file.isSwift {
      guard orders[file.layer] != nil, let folder = file.folder else { continue }
      for type in file.declaredTypes { places[type] = (file.layer, folder) }
    }
    return places
  }()
}

extension SourceFile {
  /// The folder below the layer's own: `Swap` of `Sources/StoreReplacement/Swap/Swap.swift`.
  fileprivate var folder: String? {
    let parts = path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : nil
  }
}
