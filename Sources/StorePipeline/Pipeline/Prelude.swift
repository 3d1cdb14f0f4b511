/// The words of a pipeline file, in Lua: what each makes is described, never done.
///
/// The host gives `line()`, `problem(text)`, `parameter(name, options)` and `variable(name)`. The
/// text returns the words, `unknown` (what stands in for a word that does not exist) and `finish`,
/// which gives everything described as plain data:
///
/// - `{ "table", list, names, values }`: a table, `values` in the order of `names`
/// - `{ "construct", n }`: the n-th of the constructs described
/// - `{ "unusable", why }`: what is not plain data
/// - `{ "unknown" }`: what came of a mistake that was reported already
enum Prelude {
  /// What errors call it.
  static let name = "the words of a pipeline file"

  /// The module of the host's functions, taken away before the pipeline file is loaded.
  static let module = "pipeline_host"

  /// The words a pipeline file may use besides Lua's own.
  static let words = [
    "param", "env", "pipeline", "stage", "step", "rename", "map", "drop", "where", "one", "from",
    "convert", "undecided",
  ]

  static let text = String(resource: PackageResources.Prelude_lua)
}
