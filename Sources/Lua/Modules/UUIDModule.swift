import Formats

/// `uuid`: identifiers as their 36 characters, upper case as Core Data writes them.
///
/// There is no random one: a run must repeat. `uuid.named` makes one from a name.
enum UUIDModule: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "parse", in: "uuid") { arguments in
      guard let bytes = bytes(of: try arguments.text(1)) else { return .null }
      return .text(text(of: bytes))
    }
    try state.define(helper: "bytes", in: "uuid") { arguments in
      guard let bytes = bytes(of: try arguments.text(1)) else {
        throw ModuleError("bad argument #1 to 'bytes' (not a UUID)")
      }
      return .string(bytes)
    }
    try state.define(helper: "text", in: "uuid") { arguments in
      let bytes = try arguments.bytes(1)
      guard bytes.count == 16 else {
        throw ModuleError("bad argument #1 to 'text' (16 bytes expected, got \(bytes.count))")
      }
      return .text(text(of: bytes))
    }
    try state.define(helper: "named", in: "uuid") { .text(named(try $0.bytes(1))) }
  }

  /// RFC 9562, 5.8: version 8 leaves all but the version and variant bits to the application;
  /// here they are a SHA-256 of the name.
  private static func named(_ name: [UInt8]) -> String {
    var bytes = Array(Digest.sha256(name).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return text(of: bytes)
  }

  private static func bytes(of text: String) -> [UInt8]? {
    // First of all, so that a text of megabytes is not taken apart for nothing.
    guard text.utf8.count == 36 else { return nil }
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    return try? Hex.decode(groups.joined())
  }

  private static func text(of bytes: [UInt8]) -> String {
    let digits = Array(Hex.encode(bytes).uppercased())
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(digits[$0]) }.joined(separator: "-")
  }
}
