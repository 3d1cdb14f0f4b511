/// What stands between the host and the functions of a stage, in Lua: `ctx`, and objects as scripts
/// have them.
enum StagePrelude {
  /// What errors call it.
  static let name = "the host of a stage"

  /// The Lua text; its argument has the run's facts.
  static let text = ScriptPrelude.objects + own

  private static let own = String(resource: PackageResources.StagePrelude_lua)
}
