internal import CoreDataStore
internal import Foundation
internal import StoreMigration

/// Values as Lua writes them, for people who write Lua.
enum ValueText {
  /// A value; a long one is cut, with its length behind it.
  static func of(_ value: AttributeValue, most: Int = 60) -> String {
    switch value {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .boolean(let truth): "\(truth)"
    case .real(let number): Self.number(number)
    case .date(let seconds): Self.number(seconds)
    case .decimal(let text): LuaText.quoted(text)
    case .string(let text), .uri(let text): Self.text(text, most)
    case .uuid(let uuid): LuaText.quoted(uuid.uuidString)
    case .binary(let bytes), .transformable(let bytes): Self.bytes(bytes, most)
    case .external(let reference): "a file, \(reference.name)"
    case .unexpected(let value): "a value of the kind \(value.kind), which does not belong there"
    }
  }

  /// A number as short as it can be written.
  private static func number(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return "\(whole)" }
    return number.isNaN ? "nan" : "\(number)"
  }

  private static func text(_ text: String, _ most: Int) -> String {
    let start = text.prefix(most)
    guard start.endIndex != text.endIndex else { return LuaText.quoted(text) }
    return "\(LuaText.quoted(String(start)))... (\(Quantity.count(text.utf8.count)) bytes)"
  }

  private static func bytes(_ bytes: [UInt8], _ most: Int) -> String {
    let start = bytes.prefix(most / 4).map { byte in
      (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\"")
        ? String(UnicodeScalar(byte))
        : "\\x" + String(byte >> 4, radix: 16)
          + String(byte & 15, radix: 16)
    }.joined()
    guard bytes.count > most / 4 else { return "\"\(start)\"" }
    return "\"\(start)\"... (\(Quantity.count(bytes.count)) bytes)"
  }
}
