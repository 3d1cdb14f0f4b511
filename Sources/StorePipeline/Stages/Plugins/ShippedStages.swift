/// The stages in Lua that ship: they are found by name, without a file.
///
/// Their files lie next to this one, and what stands in them is part of the program.
enum ShippedStages {
  /// Them, in the order they are listed.
  static let all: [LuaStage] = [
    stage("redact", PackageResources.redact_lua), stage("dedupe", PackageResources.dedupe_lua),
  ].compactMap(\.self)

  /// A stage; a test makes sure that none is missing.
  private static func stage(_ name: String, _ text: [UInt8]) -> LuaStage? {
    try? LuaStage.load(ScriptFile(text, named: name))
  }
}
