/// What stands between the host and a script's functions, in Lua: objects that are read and written
/// by name, `new` and `ctx`.
///
/// The host gives `script_host` and `script_table`, what the script's file returned. An object
/// crosses the border as `{ "$object", side, entity, key }`. Each entry ends with the objects of
/// the one before forgotten: one that a script kept is an error with words.
enum ScriptPrelude {
  /// What errors call it.
  static let name = "the host of a script"

  /// The modules of the host's functions and the script's table, taken away before it could see
  /// them.
  static let module = "script_host"
  static let table = "script_table"

  /// The Lua text; its argument says what the script may make.
  static let text = objects + own

  private static let own = String(resource: PackageResources.ScriptPrelude_lua)
}
