/// Bytes as pairs of hexadecimal digits.
package enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  /// The digits of some bytes, in lower case.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text of digits in either case, two a byte and nothing between.
  package static func decode(_ text: String) throws(FormatError) -> [UInt8] {
    let characters = text.utf8
    var digits: [UInt8] = []
    digits.reserveCapacity(characters.count)
    for (place, character) in characters.enumerated() {
      // All before it are ASCII: a byte each.
      guard let digit = value(character) else {
        throw FormatError(.hex, "not a digit", at: .character(place + 1))
      }
      digits.append(digit)
    }
    guard digits.count.isMultiple(of: 2) else { throw FormatError(.hex, "a digit is missing") }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
