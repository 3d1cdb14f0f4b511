internal import Formats

/// The `.luarc.json` by which lua-language-server knows the sandbox: Lua 5.4 without what is
/// switched off, the annotations, and the words of pipeline and test files.
package enum LanguageServerSettings {
  package static let fileName = ".luarc.json"

  /// The document.
  package static var text: String {
    let builtin = ["coroutine", "debug", "ffi", "io", "jit", "os", "package"]
    return JSONValue.object([
      .init(
        "$schema",
        "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json"),
      .init("runtime.version", "Lua 5.4"),
      .init(
        "runtime.builtin", .object(builtin.map { .init($0, "disable") })),
      .init("workspace.library", .texts([TypeAnnotations.fileName])),
      .init(
        "diagnostics.globals", .texts(TestPrelude.words)),
    ]).text(.pretty) + "\n"
  }
}
