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
  private let words: [String]
  private var rest: ArraySlice<String>
  private var places: [String] = []
  /// Where in `words` the places are.
  private var indices: [Int] = []
  private var flags: Set<String> = []

  /// Fills in `root` from all of `words`.
  static func parse(
    _ words: some Collection<String>, into root: Root, by arguments: [Argument<Root>]
  ) throws(UsageError) -> Root {
    var parser = Parser(arguments: arguments, root: root, words: Array(words))
    try parser.readWords()
    try parser.fillPlaces()
    return parser.root
  }

  private init(arguments: [Argument<Root>], root: Root, words: [String]) {
    self.arguments = arguments
    self.root = root
    self.words = words
    rest = words[...]
  }

  private mutating func readWords() throws(UsageError) {
    while let word = rest.popFirst() {
      if word == "--" {
        places += rest
        indices += rest.indices
        return
      } else if word.hasPrefix("--") {
        try readLong(word.dropFirst(2))
      } else if word.hasPrefix("-"), word != "-" {
        try readShort(word.dropFirst())
      } else {
        places.append(word)
        indices.append(rest.startIndex - 1)
      }
    }
  }

  private mutating func readLong(_ text: Substring) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let argument = arguments.first(where: { $0.form.isLong(name) }) else {
      let names = arguments.filter { !$0.form.isPositional }.map(\.form.name)
      let longer = names.filter { name.count > 2 && $0.hasPrefix(name) }
      let meant = longer.count == 1 ? longer.first : NearestName.of(name, among: names)
      let near = meant.map { "; did you mean --\($0)?" } ?? ""
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
    if let kind = GivenFiles.Kind(of: value), !form.takes(kind) {
      throw UsageError("\(form.spelling) takes a \(form.noun), and \(value.word) is \(kind.noun)")
    }
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
    try checkKinds(positionals.map(\.form))
    let required = positionals.count { $0.form.isRequired }
    guard places.count >= required else { throw missing(positionals) }
    var words = places[...]
    for (argument, count) in zip(positionals, shares(of: positionals.map(\.form))) {
      for word in words.prefix(count) { try argument.store(&root, word) }
      words = words.dropFirst(count)
    }
    if let word = words.first { throw unexpected(word, at: indices[words.startIndex]) }
  }

  /// A word too many; a file that an option names is one without the option's name.
  private func unexpected(_ word: String, at index: Int) -> UsageError {
    let names: [GivenFiles.Kind: String] = [.model: "models", .pipeline: "pipeline"]
    guard let kind = GivenFiles.Kind(of: word), let name = names[kind],
      arguments.contains(where: { $0.form.isLong(name) })
    else { return UsageError("unexpected argument \(word.quoted)") }
    let line = words.enumerated().map { place, other in
      place == index ? "--\(name) \(other.word)" : other.word
    }
    return UsageError(
      "\(word.word) is \(kind.noun), which --\(name) names",
      correction: line.joined(separator: " "))
  }

  /// How many words each positional takes.
  private func shares(of forms: [ArgumentForm]) -> [Int] {
    var spare = max(0, places.count - forms.count(where: \.isRequired))
    return forms.map { form in
      let count = form.isRequired ? 1 : 0
      let extra = form.repeats ? spare : min(spare, 1 - count)
      spare -= extra
      return count + extra
    }
  }

  /// Refuses a file where one of another kind belongs, such as a store in the place of a script.
  ///
  /// - Throws: ``UsageError`` with the line as it should be.
  private func checkKinds(_ forms: [ArgumentForm]) throws(UsageError) {
    let kinds = places.map(GivenFiles.Kind.init(of:))
    let taken = zip(forms, shares(of: forms)).flatMap { form, count in
      Array(repeating: form, count: count)
    }
    let wrong = zip(places.indices, taken).first { !$1.takes(kinds[$0]) }
    guard let (index, form) = wrong, let kind = kinds[index] else { return }
    let arranged = arranged(kinds, among: forms, showing: form)
    let place = arranged.firstIndex { $0.index == index }
    let reason =
      switch (kind, place) {
      case (.work, _): ""
      case (_, nil): ", where a \(form.noun) belongs"
      case (_, let place?) where place < index: ", which comes first"
      case (_, let place?) where place > index: ", and the \(form.noun) comes first"
      default: ", and the \(form.noun) is missing"
      }
    let word = places[index].word
    let look =
      if case (.store, nil) = (kind, place) {
        "; to look at the store: pipeline inspect \(word)"
      } else { "" }
    throw UsageError(
      "\(word) is \(kind.noun)\(reason)", correction: line(arranged.map(\.word)) + look)
  }

  /// The words in the places where they belong, with the name of each that is missing.
  private func arranged(
    _ kinds: [GivenFiles.Kind?], among forms: [ArgumentForm], showing shown: ArgumentForm
  ) -> [(index: Int?, word: String)] {
    var left = Array(places.indices)
    var found = forms.map { form in
      let wanted = left.filter { index in
        if case .work = kinds[index], form.content == .store { return true }
        return kinds[index] != nil && form.takes(kinds[index])
      }
      let taken = form.repeats ? wanted : Array(wanted.prefix(1))
      left.removeAll(where: taken.contains)
      return taken
    }
    for index in left where kinds[index] == nil {
      let place = forms.indices.first { forms[$0].isRequired && found[$0].isEmpty }
      guard let place = place ?? forms.firstIndex(where: \.repeats) else { continue }
      found[place].append(index)
    }
    let last = found.lastIndex { !$0.isEmpty } ?? 0
    return zip(forms, found).enumerated().flatMap { place, pair -> [(index: Int?, word: String)] in
      let (form, taken) = pair
      guard taken.isEmpty else {
        return taken.map { index in
          if case .work(let store) = kinds[index] { return (index, store.word) }
          return (index, places[index].word)
        }
      }
      return form.isRequired || place < last || form == shown ? [(nil, form.value)] : []
    }
  }

  /// All words, with others in the places.
  private func line(_ places: [String]) -> String {
    var left = places[...]
    return words.enumerated().flatMap { index, word -> [String] in
      guard let place = indices.firstIndex(of: index) else { return [word.word] }
      let count = place == indices.count - 1 ? left.count : 1
      defer { left = left.dropFirst(count) }
      return Array(left.prefix(count))
    }.joined(separator: " ")
  }

  private func missing(_ positionals: [Argument<Root>]) -> UsageError {
    let required = positionals.filter(\.form.isRequired).dropFirst(places.count)
    let message = "missing \(required.map(\.form.value).joined(separator: " and "))"
    guard required.count == 1, required.first?.form.content == .pipeline, places.isEmpty,
      let file = GivenFiles.onlyPipeline
    else { return UsageError(message) }
    return UsageError(
      "\(message); there is \(file.word)",
      correction: (words + [file]).map(\.word).joined(separator: " "))
  }
}

extension ArgumentForm {
  fileprivate func isLong(_ name: String) -> Bool { !isPositional && self.name == name }

  fileprivate var isRequired: Bool {
    if case .positional(let isRequired, _) = kind { isRequired } else { false }
  }
}
