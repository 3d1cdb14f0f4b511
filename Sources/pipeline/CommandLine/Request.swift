/// What a command line asks the program for.
enum Request: Sendable {
  /// The versions of the program and its libraries.
  case version
  /// Help about a topic.
  case help(Topic)
  /// Nothing yet; the topic lists what may follow.
  case nothing(Topic)
  /// A command, and the words for it to read.
  case command(any Command.Type, Topic, [String])
}

extension Program {
  /// Finds what is asked for.
  ///
  /// Common options may stand before the command as well as after it. A request for help wins over
  /// mistakes, because who made one needs it.
  func request(_ words: [String]) throws(Misuse) -> Request {
    let asksHelp = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    var rest = words[...]
    var topic = top
    var carried: [String] = []
    while true {
      if case .command(let type) = topic.subject {
        return asksHelp ? .help(topic) : .command(type, topic, carried + rest)
      }
      if case .group(let group) = topic.subject, let own = group.own, !group.isNamed(in: rest) {
        return asksHelp
          ? .help(topic)
          : .command(own, Topic(words: topic.words, subject: .command(own)), carried + rest)
      }
      let taken = LeadingOptions.take(from: &rest)
      if !asksHelp {
        let leading = try LeadingOptions.read(taken, at: topic)
        if leading.version { return .version }
        if leading.options.help { return .help(topic) }
      }
      carried += taken
      guard let word = rest.popFirst() else { return asksHelp ? .help(topic) : .nothing(topic) }
      topic = try topic.step(into: word)
    }
  }

  /// The place some words lead to, as in `pipeline help model diff`.
  func topic(_ words: [String]) throws(Misuse) -> Topic {
    var topic = top
    for word in words { topic = try topic.step(into: word) }
    return topic
  }
}

/// The options that may stand before a command's name.
struct LeadingOptions: Sendable {
  /// Those that are then read by the command.
  var options = GlobalOptions()
  /// The versions were asked for.
  var version = false

  /// The table.
  static let arguments: [Argument<Self>] =
    GlobalOptions.arguments(.all).map { $0.within(\.options) } + [
      .flag("version", \.version, "Show the versions of the program and its libraries.")
    ]

  /// What of the table help shows: the options every command has, and `--version`.
  static let shown: [ArgumentForm] =
    GlobalOptions.arguments([]).map(\.form) + arguments.suffix(1).map(\.form)

  /// Removes the options at the start of some words, with their values.
  static func take(from rest: inout ArraySlice<String>) -> [String] {
    var taken: [String] = []
    while let word = rest.first, word.hasPrefix("-"), word != "-" {
      rest.removeFirst()
      guard word != "--" else { break }
      taken.append(word)
      let takesNext = arguments.contains { $0.form.takesValue && "--\($0.form.name)" == word }
      if takesNext, let value = rest.popFirst() { taken.append(value) }
    }
    return taken
  }

  /// Reads the options that were taken.
  static func read(_ words: [String], at topic: Topic) throws(Misuse) -> Self {
    do {
      return try Parser.parse(words, into: Self(), by: arguments)
    } catch {
      throw Misuse(words: topic.words, error: error)
    }
  }
}
