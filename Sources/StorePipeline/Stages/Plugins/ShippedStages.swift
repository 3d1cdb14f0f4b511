/// The stages in Lua that ship: they are found by name, without a file.
///
/// Their files lie next to this one, and what stands in them is part of the program. They are
/// loaded when one is asked for: most pipelines have none.
enum ShippedStages {
  /// Their names, in the order in which they are listed.
  static let names = ["redact", "dedupe"]

  /// Them, in the order they are listed.
  static let all: [LuaStage] = [
    stage("redact", PackageResources.redact_lua), stage("dedupe", PackageResources.dedupe_lua),
  ].compactMap(\.self)

  /// A stage; a test makes sure that none is missing, and that it has the name of the list.
  private static func stage(_ name: String, _ text: [UInt8]) -> LuaStage? {
    try? LuaStage.load(ScriptFile(text, named: name))
  }
}
