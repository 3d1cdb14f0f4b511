/// A `file:` URI, the only way to give ATTACH an open mode.
enum FileURI {
  /// The URI of an absolute path, opened as `mode` says ("ro", "rw"), by a way of this name.
  ///
  /// SQLite ends the path at "?" or "#" and decodes "%HH" (SQLite, Uniform Resource Identifiers):
  /// so every byte that is not surely plain is written as "%HH".
  static func of(_ path: String, mode: String, vfs: String? = nil) -> String {
    var uri = "file:"
    for byte in path.utf8 {
      if isPlain(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return uri + "?mode=" + mode + (vfs.map { "&vfs=" + $0 } ?? "")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "/", "-", "_", ".", "~": true
    default: false
    }
  }
}
