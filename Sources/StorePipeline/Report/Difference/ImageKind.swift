/// The kinds of pictures that every browser shows, recognised by their first bytes.
package enum ImageKind: String, Sendable {
  case jpeg, png, gif, webp

  /// The kind of some bytes; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    func begins(_ start: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: start)
    }
    if begins([0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if begins(Array("GIF8".utf8)) {
      self = .gif
    } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else {
      return nil
    }
  }

  /// The name people know it by.
  var name: String { self == .webp ? "WebP" : rawValue.uppercased() }
}
