public import Foundation

/// What a folder and everything in it look like from outside: names, kinds and bytes.
public struct FolderState: Equatable {
  private let entries: [String: [UInt8]]

  /// Reads the folder, the running test's unless another is given.
  public init(_ folder: String = TemporaryFolder.url.path) throws {
    var entries: [String: [UInt8]] = [:]
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for name in names {
      let path = "\(folder)/\(name)"
      let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
      let isFile = type as? FileAttributeType == .typeRegular
      entries[name] = isFile ? Array(try Data(contentsOf: URL(filePath: path))) : []
    }
    self.entries = entries
  }
}
