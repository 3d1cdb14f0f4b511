public import Foundation

/// What a folder and everything in it look like from outside: names, kinds and bytes.
public struct FolderState: Equatable {
  private let entries: [String: [UInt8]]

  /// The names of what one has and the other has not, or has otherwise.
  public func difference(from other: FolderState) -> [String] {
    Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }.sorted()
  }

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
