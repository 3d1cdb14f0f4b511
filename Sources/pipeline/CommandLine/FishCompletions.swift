internal import CoreDataStore

/// The completion script for fish: one line a word.
struct FishCompletions {
  /// The program whose words are completed.
  let program: Program

  var script: String {
    let lines = CompletionPlace.all(of: program).flatMap { place in
      place.commands.map { line(place, "-a \($0.name) -d \(quoted($0.summary))") }
        + place.positionals.compactMap { positional($0).map { line(place, $0) } }
        + place.options.map { line(place, option($0)) }
    }
    return """
      # Completions of \(program.name) for fish.

      # Whether the words typed so far lead to the place given as arguments, and no further.
      function __\(program.name)_at
        set -l place
        for word in (commandline -opc)[2..]
          string match -q -- '-*' $word; and continue
          contains -- "$place $word" \(steps); and set place (string trim -- "$place $word")
        end
        test "$place" = "$argv"
      end

      complete -c \(program.name) -f
      \(lines.joined(separator: "\n"))
      """
  }

  /// Every step from a place to the next, as the words of the place, a space, and the word.
  private var steps: String {
    CompletionPlace.all(of: program).dropFirst().map { place in
      "\(place.path.dropLast().joined(separator: " ")) \(place.path.last ?? "")".shellQuoted
    }.joined(separator: " ")
  }

  private func line(_ place: CompletionPlace, _ rest: String) -> String {
    let condition = (["__\(program.name)_at"] + place.path).joined(separator: " ")
    return "complete -c \(program.name) -n '\(condition)' \(rest)"
  }

  private func positional(_ form: ArgumentForm) -> String? {
    switch form.content.offered {
    case .file: "-F"
    case .folder: "-a '(__fish_complete_directories)'"
    case .choice(let names): "-a \(quoted(names.joined(separator: " "))) -d \(quoted(form.help))"
    default: nil
    }
  }

  private func option(_ form: ArgumentForm) -> String {
    let names = (form.short.map { "-s \($0) " } ?? "") + "-l \(form.name)"
    let value = form.takesValue ? " \(self.value(form.content))" : ""
    return "\(names)\(value) -d \(quoted(form.help))"
  }

  private func value(_ content: ArgumentForm.Content) -> String {
    switch content.offered {
    case .file: "-rF"
    case .folder: "-xa '(__fish_complete_directories)'"
    case .choice(let names): "-xa \(quoted(names.joined(separator: " ")))"
    default: "-x"
    }
  }

  /// In fish's single quotes only the quote itself and the backslash are special.
  private func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
