/// The CHECK clauses in a CREATE TABLE statement, as they are written.
package enum CheckClauses {
  /// Finds them, in the order of the statement.
  package static func of(_ sql: String) -> [String] {
    let bytes = Array(sql.utf8)
    var clauses: [String] = []
    var place = 0
    while place < bytes.count {
      let end = token(bytes, at: place)
      if isCheck(bytes[place..<end]), let close = parentheses(bytes, after: end) {
        clauses.append(String(decoding: bytes[place..<close], as: UTF8.self))
        place = close
      } else {
        place = end
      }
    }
    return clauses
  }

  private static func isCheck(_ word: ArraySlice<UInt8>) -> Bool {
    // Capitals differ from small letters by this bit.
    word.map { $0 | 0x20 } == Array("check".utf8)
  }

  /// The end of what stands in parentheses behind a place; nil when none are there.
  private static func parentheses(_ bytes: [UInt8], after start: Int) -> Int? {
    var place = start
    var depth = 0
    while place < bytes.count {
      let end = token(bytes, at: place)
      switch bytes[place] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth <= 0 { return depth == 0 ? end : nil }
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C,
        UInt8(ascii: "/"), UInt8(ascii: "-"):
        break
      default: if depth == 0 { return nil }
      }
      place = end
    }
    return nil
  }

  /// The end of the word, quoted name, text, comment or other letter that begins at a place.
  private static func token(_ bytes: [UInt8], at place: Int) -> Int {
    let first = bytes[place]
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      return after(bytes, place + 1) { $0 == first }
    case UInt8(ascii: "["): return after(bytes, place + 1) { $0 == UInt8(ascii: "]") }
    case UInt8(ascii: "-") where bytes[place...].starts(with: Array("--".utf8)):
      return after(bytes, place) { $0 == UInt8(ascii: "\n") }
    case UInt8(ascii: "/") where bytes[place...].starts(with: Array("/*".utf8)):
      var end = place + 2
      while end < bytes.count, !bytes[end...].starts(with: Array("*/".utf8)) { end += 1 }
      return min(end + 2, bytes.count)
    case let letter where isOfWord(letter):
      return bytes[place...].firstIndex { !isOfWord($0) } ?? bytes.count
    default: return place + 1
    }
  }

  private static func after(_ bytes: [UInt8], _ place: Int, _ isEnd: (UInt8) -> Bool) -> Int {
    bytes[place...].firstIndex(where: isEnd).map { $0 + 1 } ?? bytes.count
  }

  /// Whether a byte is one of those that names, numbers and keywords have.
  static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
