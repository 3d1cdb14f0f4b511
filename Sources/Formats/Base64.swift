/// Base64 with the standard alphabet and padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// Sextets by character, 255 where there is none.
  private static let sextets: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()

  /// The text of some bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        let sextet = alphabet[bits >> (18 - 6 * place) & 63]
        text.append(place <= group.count ? sextet : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text, which must be padded, and hold nothing but the alphabet.
  package static func decode(_ text: String) throws(FormatError) -> [UInt8] {
    let characters = Array(text.utf8)
    let padded = characters.suffix(2).reversed().prefix { $0 == padding }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var bits = 0
    for (place, character) in characters.dropLast(padded).enumerated() {
      let sextet = sextets[Int(character)]
      // All before it are ASCII: a byte each.
      guard sextet < 64 else {
        throw FormatError(.base64, "a character not of it", at: .character(place + 1))
      }
      bits = (bits << 6 | Int(sextet)) & 0xff_ffff
      if place % 4 == 3 { bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) } }
    }
    guard characters.count.isMultiple(of: 4) else {
      throw FormatError(.base64, "its length is not a multiple of four")
    }
    guard padded > 0 else { return bytes }
    // RFC 4648, 3.5: bits after the last byte must be zero, or two texts would mean the same.
    guard bits & ((1 << (2 * padded)) - 1) == 0 else {
      throw FormatError(.base64, "bits are left over", at: .character(characters.count - padded))
    }
    bits >>= 2 * padded
    return bytes + (padded == 1 ? [8, 0] : [0]).map { UInt8(truncatingIfNeeded: bits >> $0) }
  }
}
