import Formats

/// `hex.encode(bytes)` and `hex.decode(text)`.
enum HexModule: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "encode", in: "hex") { .text(Hex.encode(try $0.bytes(1))) }
    try state.define(helper: "decode", in: "hex") { .string(try Hex.decode($0.text(1))) }
  }
}
