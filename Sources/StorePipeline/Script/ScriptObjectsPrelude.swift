// Objects as the functions of scripts and of stages see them.

extension ScriptPrelude {
  /// The Lua text that makes them: `proxy`, `wrap` and `unwrap`, `reference_of`, `assign`,
  /// `context`, which makes a `ctx`, and `forget_objects`, after which all that were given are
  /// errors with words.
  static let objects = String(resource: PackageResources.ScriptObjectsPrelude_lua)
}
