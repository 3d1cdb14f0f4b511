internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import StoreReplacement

/// The content of values that a store keeps as files.
final class ExternalContents {
  private let folders: [String]
  private let limit: Int
  private var opened: [ExternalDescriptor]?

  /// Files in these folders; their content is handed on up to `limit` bytes.
  init(_ folders: [String], limit: Int) {
    self.folders = folders
    self.limit = limit
  }

  /// What a file holds.
  func value(of reference: ExternalReference) -> ComparedValue {
    for folder in open() {
      guard let file = try? OpenDescriptor(reading: reference.name, in: folder.descriptor),
        let entry = try? FileEntry.of(file), entry.isRegular, let digest = try? FileDigest(of: file)
      else { continue }
      let content =
        digest.bytes <= limit ? try? file.read(limit, at: 0) : nil
      return .data(
        ComparedData(
          bytes: Int(digest.bytes), sha256: (try? Hex.decode(digest.sha256)) ?? [],
          content: content, file: reference.name))
    }
    return .lost(name: reference.name)
  }

  /// What lies in the column itself.
  func value(of bytes: [UInt8]) -> ComparedValue {
    .data(
      ComparedData(
        bytes: bytes.count, sha256: Digest.sha256(bytes),
        content: bytes.count <= limit ? bytes : nil))
  }

  /// The file that a reference means, to find out whether two references mean one file.
  func identity(of reference: ExternalReference) -> FileEntry? {
    for folder in open() {
      guard let file = try? OpenDescriptor(reading: reference.name, in: folder.descriptor),
        let entry = try? FileEntry.of(file), entry.isRegular
      else { continue }
      return entry
    }
    return nil
  }

  private func open() -> [ExternalDescriptor] {
    if let opened { return opened }
    let folders = folders.compactMap { try? ExternalDescriptor($0) }
    opened = folders
    return folders
  }
}

/// A folder held open, so that no other process can replace it meanwhile.
private final class ExternalDescriptor {
  let descriptor: OpenDescriptor

  init(_ path: String) throws(SystemError) { descriptor = try OpenDescriptor(folder: path) }
}
