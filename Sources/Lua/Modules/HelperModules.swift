import Formats

/// A module of helpers whose work is done in Swift.
protocol HelperModule: SendableMetatype {
  /// Adds its functions to a state.
  static func define(in state: LuaState) throws(LuaError)
}

/// The modules every script finds; `text`, `date` and `decimal` are the host's own.
enum HelperModules {
  static let all: [any HelperModule.Type] = [
    Base64Module.self, HexModule.self, ImageModule.self, JSONModule.self, PlistModule.self,
    SHA256Module.self, UUIDModule.self,
  ]
}

/// `base64.encode(bytes)` and `base64.decode(text)`.
enum Base64Module: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "encode", in: "base64") { .text(Base64.encode(try $0.bytes(1))) }
    try state.define(helper: "decode", in: "base64") { .string(try Base64.decode($0.text(1))) }
  }
}

/// `hex.encode(bytes)` and `hex.decode(text)`.
enum HexModule: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "encode", in: "hex") { .text(Hex.encode(try $0.bytes(1))) }
    try state.define(helper: "decode", in: "hex") { .string(try Hex.decode($0.text(1))) }
  }
}

/// `sha256(bytes)`: the digest as 64 hexadecimal digits.
enum SHA256Module: HelperModule {
  static func define(in state: LuaState) throws(LuaError) {
    try state.define(helper: "sha256", in: nil) {
      .text(Hex.encode(Digest.sha256(try $0.bytes(1))))
    }
  }
}
