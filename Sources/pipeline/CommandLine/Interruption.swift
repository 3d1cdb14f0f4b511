import CoreDataStore
internal import StoreReplacement

/// The user or the system asked a command to stop, and it did so in order.
struct Interruption: Error, Equatable {
  /// What is true of the store or stores; nothing of a command that does not replace any.
  var stores = ""
  /// The line that resumes what was stopped; none when that left nothing behind.
  var line = ""
  /// The stores that are not to be named in that line, since they are restored.
  var restored: [String] = []

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
    of words: [String], stores: String, restored: [String] = []
  ) -> Interruption {
    let options = words.prefix { $0 != "--" }
    let isDry = options.contains { option in
      ["--dry-run", "--sample"].contains(option) || option.hasPrefix("--sample=")
    }
    if isDry { return Interruption(stores: stores) }
    let given = options.filter { $0 != "--restart" } + words.dropFirst(options.count)
    let rest = given.filter { !restored.contains($0) }
    let line = ([self.words] + rest.map(ShellWord.quoted)).joined(separator: " ")
    return Interruption(stores: stores, line: line)
  }
}
