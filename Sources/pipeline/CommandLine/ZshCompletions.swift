internal import CoreDataStore

/// The completion script for zsh: one function a place, each a call of `_arguments`.
struct ZshCompletions {
  /// The program whose words are completed.
  let program: Program

  var script: String {
    let functions = CompletionPlace.all(of: program).map(function)
    return """
      #compdef \(program.name)
      # Completions of \(program.name) for zsh.

      \(functions.joined(separator: "\n\n"))

      if [[ $funcstack[1] == _\(program.name) ]]; then
        _\(program.name) "$@"
      else
        compdef _\(program.name) \(program.name)
      fi
      """
  }

  private func function(_ place: CompletionPlace) -> String {
    let body = arguments(place) + (place.commands.isEmpty ? "" : "\n" + dispatch(place))
    return "\(name(place.path))() {\n\(body)\n}"
  }

  private func arguments(_ place: CompletionPlace) -> String {
    let isLeaf = place.commands.isEmpty
    let specs = place.options.map(spec) + (isLeaf ? positionals(place) : Self.commandSpecs)
    let arguments = specs.map { " \\\n    \($0)" }.joined()
    return """
        local context state state_descr line
        local -A opt_args
        _arguments -s -S\(isLeaf ? "" : " -C")\(arguments)
      """
  }

  private static let commandSpecs = ["'1:command:->command'", "'*::argument:->argument'"]

  private func dispatch(_ place: CompletionPlace) -> String {
    let listed = place.commands.map { name, summary in
      "        \("\(name):\(summary)".shellQuoted)"
    }
    let cases = place.commands.map { command, _ in
      "        \(command)) \(name(place.path + [command])) ;;"
    }
    return """
        case $state in
          command)
            local -a commands=(
      \(listed.joined(separator: "\n"))
            )
            _describe command commands
            ;;
          argument)
            case $words[1] in
      \(cases.joined(separator: "\n"))
            esac
            ;;
        esac
      """
  }

  private func spec(_ option: ArgumentForm) -> String {
    let others = option.repeats ? "*" : "(\(option.names.joined(separator: " ")))"
    let value = option.takesValue ? ":\(escaped(option.value)):\(action(option.content))" : ""
    let text = "[\(escaped(option.help))]\(value)"
    guard let short = option.short else {
      let name = "--\(option.name)" + (option.takesValue ? "=" : "")
      return ((option.repeats ? "*" : "") + name + text).shellQuoted
    }
    let names =
      option.takesValue
      ? "-\(short)+,--\(option.name)=" : "-\(short),--\(option.name)"
    return "\(others.shellQuoted){\(names)}\(text.shellQuoted)"
  }

  private func positionals(_ place: CompletionPlace) -> [String] {
    place.positionals.enumerated().map { index, form in
      let start: String
      switch form.kind {
      case .positional(_, true): start = "*:"
      case .positional(true, _): start = "\(index + 1):"
      default: start = "\(index + 1)::"
      }
      return "\(start)\(escaped(form.value)):\(action(form.content))".shellQuoted
    }
  }

  private func action(_ content: ArgumentForm.Content) -> String {
    switch content.offered {
    case .file: "_files"
    case .folder: "_files -/"
    case .choice(let names): "(\(names.joined(separator: " ")))"
    default: " "
    }
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("[", with: "\\[")
      .replacing("]", with: "\\]")
  }

  private func name(_ path: [String]) -> String {
    (["_" + program.name] + path).joined(separator: "_")
  }
}
