/// The completion script for bash, from 3.2 on, which macOS still ships.
struct BashCompletions {
  /// The program whose words are completed.
  let program: Program

  var script: String {
    let places = CompletionPlace.all(of: program)
    return """
      # Completions of \(program.name) for bash.

      _\(program.name)_words() {
        COMPREPLY=($(compgen -W "$1" -- "$current"))
      }

      _\(program.name)_paths() {
        local path
        compopt -o filenames 2>/dev/null
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$current")
      }

      _\(program.name)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} place= index
        COMPREPLY=()
        # bash takes --name=value for three words.
        if [[ $current == = ]]; then
          current=
        elif [[ $previous == = && $COMP_CWORD -gt 1 ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          case "$place ${COMP_WORDS[index]}" in
      \(places.dropFirst().map(step).joined(separator: "\n"))
          esac
        done
        case "$place:$previous" in
      \(places.flatMap(values).joined(separator: "\n"))
        esac
        case "$place:$current" in
      \(places.map(options).joined(separator: "\n"))
      \(places.map(words).joined(separator: "\n"))
        esac
      }

      complete -F _\(program.name) \(program.name)
      """
  }

  private func step(into place: CompletionPlace) -> String {
    let before = place.path.dropLast().joined(separator: " ")
    let here = place.path.joined(separator: " ")
    return "      '\(before) \(place.path.last ?? "")') place='\(here)' ;;"
  }

  private func values(at place: CompletionPlace) -> [String] {
    place.options.filter(\.takesValue).map { option in
      let patterns = option.names.map { "'\(key(place)):\($0)'" }.joined(separator: " | ")
      return "    \(patterns)) \(complete(option.content)); return ;;"
    }
  }

  private func options(at place: CompletionPlace) -> String {
    let names = place.options.map { "--\($0.name)" }.joined(separator: " ")
    return "    '\(key(place)):-'*) _\(program.name)_words '\(names)' ;;"
  }

  private func words(at place: CompletionPlace) -> String {
    var actions: [String] = []
    if !place.commands.isEmpty {
      actions.append(complete(.choice(place.commands.map(\.name))))
    }
    for content in place.positionals.map(\.content) where !actions.contains(complete(content)) {
      actions.append(complete(content))
    }
    let separator = actions.count > 1 ? "; " : " "
    return "    '\(key(place)):'*) \((actions + [";;"]).joined(separator: separator))"
  }

  private func key(_ place: CompletionPlace) -> String { place.path.joined(separator: " ") }

  private func complete(_ content: ArgumentForm.Content) -> String {
    switch content.offered {
    case .file: "_\(program.name)_paths -f"
    case .folder: "_\(program.name)_paths -d"
    case .choice(let names): "_\(program.name)_words '\(names.joined(separator: " "))'"
    default: ":"
    }
  }
}
