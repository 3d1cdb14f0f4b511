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
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 2) else { throw FormatError(.hex, "a digit is missing") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 2)
    for place in stride(from: 0, to: characters.count, by: 2) {
      guard let high = value(characters[place]), let low = value(characters[place + 1]) else {
        throw FormatError(.hex, "not a digit", at: .byte(place))
      }
      bytes.append(high << 4 | low)
    }
    return bytes
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
