import Formats

/// `base64.encode(bytes)` and `base64.decode(text)`.
enum Base64Module: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "encode", in: "base64") { .text(Base64.encode(try $0.bytes(1))) }
    try state.define(helper: "decode", in: "base64") { .string(try Base64.decode($0.text(1))) }
  }
}
