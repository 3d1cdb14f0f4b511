import Formats

/// `sha256(bytes)`: the digest as 64 hexadecimal digits.
enum SHA256Module: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "sha256", in: nil) {
      .text(Hex.encode(Digest.sha256(try $0.bytes(1))))
    }
  }
}
