import CoreDataStore
internal import StoreReplacement

/// The user or the system asked a command to stop, and it did so in order.
struct Interruption: Error, Equatable {
  /// What is true of the store or stores; nothing of a command that does not replace any.
  var stores = ""
  /// The line that resumes what was stopped; none when that left nothing behind.
  var line = ""
  /// The commands that resume it, where the words that were given do not.
  var commands: [[String]] = []
  /// The stores that a list has named that cannot be read once more, such as standard input.
  var listed: [String] = []

  /// What is said below the message.
  var hint: String? {
    if stores.isEmpty { return nil }
    return line.isEmpty ? stores : "\(stores) To resume:\n\(line)"
  }
}

extension Topic {
  /// The interruption of a command that replaces stores, with the line that resumes it.
  ///
  /// The same words do that, but for the one that gives up what was done. A dry run leaves nothing
  /// behind.
  func interruption(
    of words: [String], stores: String, commands: [[String]] = [], listed: [String] = []
  ) -> Interruption {
    if !commands.isEmpty {
      let lines = commands.map { SuggestedCommand.text($0) }
      return Interruption(stores: stores, line: lines.joined(separator: "\n"))
    }
    let options = words.prefix { $0 != "--" }
    let isDry = options.contains { option in
      ["--dry-run", "--sample"].contains(option) || option.hasPrefix("--sample=")
    }
    if isDry { return Interruption(stores: stores) }
    let given = options.filter { $0 != "--restart" } + words.dropFirst(options.count)
    let rest = listed.isEmpty ? given : Self.naming(listed, in: given)
    let line = ([self.words] + rest.map(ShellWord.quoted)).joined(separator: " ")
    return Interruption(stores: stores, line: line)
  }

  /// The words with the stores in the place of the list, of which they may be a part.
  private static func naming(_ stores: [String], in words: [String]) -> [String] {
    var words = words
    for name in ["--stores-from", "--shard"] {
      if let option = words.firstIndex(of: name), option + 1 < words.count {
        words.removeSubrange(option...(option + 1))
      }
      words.removeAll { $0.hasPrefix("\(name)=") }
    }
    // One store alone would have another work folder than one of several.
    let hasJobs = words.contains { $0 == "-j" || $0.hasPrefix("--jobs") }
    let end = words.contains("--") ? [] : ["--"]
    return (hasJobs ? [] : ["--jobs", "1"]) + words + end + stores.filter { !words.contains($0) }
  }
}
