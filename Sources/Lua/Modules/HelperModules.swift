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
