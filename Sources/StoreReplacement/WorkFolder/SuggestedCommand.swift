/// Commands of this program that a message suggests.
package enum SuggestedCommand {
  /// The words as a shell takes them, with the work folder where it is not the store's usual one.
  ///
  /// It can be pasted as it is printed; paths from the root on mean the same in any folder.
  package static func text(_ words: [String], of store: String = "", work: String = "") -> String {
    let isUsual = work.isEmpty || work == WorkFolder.usualWork(of: store)
    let options = isUsual ? [] : ["--work", work]
    return (["pipeline"] + words.prefix(1) + options + words.dropFirst())
      .map(ShellWord.quoted).joined(separator: " ")
  }

  /// The words of a run's command, with the option that gives up what the run has done.
  package static func restart(_ words: [String]) -> [String] {
    words.prefix(1) + ["--restart"] + words.dropFirst()
  }
}

extension WorkFolder {
  /// A command about the store, to paste.
  package func command(_ name: String) -> String { command([name, store]) }

  /// A command of several words about the store, to paste.
  package func command(_ words: [String]) -> String {
    SuggestedCommand.text(words, of: store, work: work)
  }
}
