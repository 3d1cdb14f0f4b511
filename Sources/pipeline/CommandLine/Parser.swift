import CoreDataStore
import StorePipeline

/// Reads words into a value by a table of arguments.
///
/// Options are written as POSIX (Utility Syntax Guidelines 3 to 10) and GNU have it:
/// `--name VALUE`, `--name=VALUE`, `-n VALUE`, `-nVALUE`, flags together as in `-ab`; `--` ends
/// them and `-` alone is a value. Long names are not abbreviated: every new option would break some
/// user's script.
struct Parser<Root> {
  private let arguments: [Argument<Root>]
  private var root: Root
  private var rest: ArraySlice<String>
  private var places: [String] = []
  private var flags: Set<String> = []

  /// Fills in `root` from all of `words`.
  static func parse(
    _ words: some Collection<String>, into root: Root, by arguments: [Argument<Root>]
  ) throws(UsageError) -> Root {
    var parser = Parser(arguments: arguments, root: root, rest: Array(words)[...])
    try parser.readWords()
    try parser.fillPlaces()
    return parser.root
  }

  private init(arguments: [Argument<Root>], root: Root, rest: ArraySlice<String>) {
    self.arguments = arguments
    self.root = root
    self.rest = rest
  }

  private mutating func readWords() throws(UsageError) {
    while let word = rest.popFirst() {
      if word == "--" {
        places += rest
        return
      } else if word.hasPrefix("--") {
        try readLong(word.dropFirst(2))
      } else if word.hasPrefix("-"), word != "-" {
        try readShort(word.dropFirst())
      } else {
        places.append(word)
      }
    }
  }

  private mutating func readLong(_ text: Substring) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let argument = arguments.first(where: { $0.form.isLong(name) }) else {
      let names = arguments.filter { !$0.form.isPositional }.map(\.form.name)
      let near = NearestName.of(name, among: names).map { "; did you mean --\($0)?" } ?? ""
      throw UsageError("unknown option --\(name.oneLine)\(near)")
    }
    try read(argument, attached: parts.count > 1 ? parts[1] : nil)
  }

  private mutating func readShort(_ letters: Substring) throws(UsageError) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let argument = arguments.first(where: { $0.form.short == letter }) else {
        throw UsageError("unknown option -\(String(letter).oneLine)")
      }
      let attached = argument.form.takesValue && !letters.isEmpty ? letters : nil
      try read(argument, attached: attached)
      if attached != nil { return }
    }
  }

  private mutating func read(
    _ argument: Argument<Root>, attached: Substring?
  ) throws(UsageError) {
    let form = argument.form
    guard form.takesValue else {
      guard attached == nil else { throw UsageError("\(form.spelling) takes no value") }
      flags.insert(form.name)
      return try argument.store(&root, "")
    }
    let value = if let attached { String(attached) } else { try nextValue(of: form) }
    try argument.store(&root, value)
  }

  /// The next word, unless it looks like an option.
  ///
  /// getopt would take any word, so that `--output --dry-run` wrote to a file called `--dry-run`
  /// and ran in earnest.
  private mutating func nextValue(of form: ArgumentForm) throws(UsageError) -> String {
    guard let word = rest.popFirst() else {
      throw UsageError("\(form.spelling) needs a value: \(form.value)")
    }
    let isNumber = word.dropFirst().first?.isNumber == true
    guard !word.hasPrefix("-") || word == "-" || isNumber else {
      throw UsageError(
        "\(form.spelling) needs a value: \(form.value); is it \(form.spelling)=\(word.oneLine)?")
    }
    return word
  }

  /// Hands the words without a dash to the positionals, in order.
  ///
  /// One positional may repeat, anywhere in the list: it takes what the others leave over.
  private mutating func fillPlaces() throws(UsageError) {
    let positionals = arguments.filter { argument in
      argument.form.isPositional && !(argument.form.missingWith.map(flags.contains) ?? false)
    }
    let required = positionals.count { $0.form.isRequired }
    guard places.count >= required else { throw missing(positionals) }
    var spare = places.count - required
    var words = places[...]
    for argument in positionals {
      var count = argument.form.isRequired ? 1 : 0
      let extra = argument.form.repeats ? spare : min(spare, 1 - count)
      (count, spare) = (count + extra, spare - extra)
      for word in words.prefix(count) { try argument.store(&root, word) }
      words = words.dropFirst(count)
    }
    if let word = words.first { throw UsageError("unexpected argument \(word.quoted)") }
  }

  private func missing(_ positionals: [Argument<Root>]) -> UsageError {
    let required = positionals.filter(\.form.isRequired).dropFirst(places.count)
    return UsageError("missing \(required.map(\.form.value).joined(separator: " and "))")
  }
}

extension ArgumentForm {
  fileprivate func isLong(_ name: String) -> Bool { !isPositional && self.name == name }

  fileprivate var isRequired: Bool {
    if case .positional(let isRequired, _) = kind { isRequired } else { false }
  }
}
