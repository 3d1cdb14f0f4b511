/// The page of all functions, made from their descriptions.
package enum FunctionPage {
  /// The page as Markdown for DocC.
  package static var markdown: String {
    let start = """
      # Functions for scripts

      Every function that a script may call in addition to Lua's own, each with an example that is \
      run.

      ## Overview

      [What a script may use](Scripts.md) says what is different from plain Lua, \
      [Writing a transform](Hooks.md) where the functions of a script stand. The examples of `ctx` \
      are for the notes in `samples/Notes`.
      """
    return ([start] + ScriptReference.chapters.map(chapter)).joined(separator: "\n\n") + "\n"
  }

  private static func chapter(_ chapter: ScriptReference.Chapter) -> String {
    var parts = ["### \(chapter.title)", chapter.text] + chapter.functions.map(text)
    if chapter.functions.first?.module == "ctx" { parts.append(fields) }
    return parts.joined(separator: "\n\n")
  }

  private static var fields: String {
    (["| field | holds |", "| --- | --- |"]
      + ScriptReference.contextFields.map { "| `ctx.\($0.name)` | \($0.text) |" })
      .joined(separator: "\n")
  }

  private static func text(_ function: ScriptFunction) -> String {
    let returns = function.returns.isEmpty ? "" : " -> \(function.returns)"
    let parameters = function.parameters.map {
      "\($0.name)\($0.isOptional ? "?" : ""): \($0.type)"
    }
    let signature = "`\(function.name)(\(parameters.joined(separator: ", ")))\(returns)`"
    return
      "#### \(function.name)\n\n\(signature)\n\n\(function.text)\n\n\(example(function.example))"
  }

  private static func example(_ example: ScriptFunction.Example) -> String {
    switch example {
    case .value(let call, let gives): "```lua\n\(call)  --> \(gives)\n```"
    case .script(let text, let leaves, let count):
      "```lua\n\(text)\n```\n\nThen `count(\(leaves))` is \(count)."
    case .failure(let text, let message):
      "```lua\n\(text)\n```\n\nThe run ends with \"\(message)\"."
    }
  }
}
