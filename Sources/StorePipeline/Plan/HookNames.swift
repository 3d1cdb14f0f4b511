/// Finds names of facts in the commands of hooks that mean nothing.
struct HookNames {
  /// The mistakes.
  let problems: [Problem]

  init(_ hooks: [StageDeclarations.Hook], file: String) {
    problems = hooks.flatMap { hook in
      hook.words.compactMap(HookFacts.mistake).map {
        Problem(file: file, line: hook.commandLine, message: $0)
      }
    }
  }
}
