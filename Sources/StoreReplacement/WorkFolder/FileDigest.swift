internal import Formats
package import OperatingSystem

/// The length and the SHA-256 of a file.
package struct FileDigest: Hashable, Sendable {
  package let bytes: Int64
  /// The digest in hexadecimal digits.
  package let sha256: String

  /// A digest from its parts, as a manifest has them.
  package init(bytes: Int64, sha256: String) {
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// What the digest of a file with these bytes would be.
  package init(of bytes: ArraySlice<UInt8>) {
    let hasher = Digest.Hasher(.sha256)
    hasher.update(Array(bytes))
    self.init(bytes: Int64(bytes.count), sha256: Hex.encode(hasher.finish()))
  }

  /// Reads the regular file at a path.
  package init(ofFile path: String) throws(SystemError) {
    let file = try OpenDescriptor(reading: path)
    guard try FileEntry.of(file).isRegular else { throw .notRegular }
    try self.init(of: file)
  }

  /// Reads a file from its beginning to its end.
  package init(of file: borrowing OpenDescriptor) throws(SystemError) {
    let hasher = Digest.Hasher(.sha256)
    var offset: Int64 = 0
    while true {
      let piece = try file.read(FileSystem.piece, at: offset)
      if piece.isEmpty { break }
      hasher.update(piece)
      offset += Int64(piece.count)
    }
    self.init(bytes: offset, sha256: Hex.encode(hasher.finish()))
  }
}
