internal import OperatingSystem
import StorePipeline
internal import StorePrograms

extension NewCommand {
  /// Asks a person at a terminal, one question a decision: no other command asks anything.
  struct Questions {
    private let console: Console
    /// A line of what is typed, without its end; nil when no more comes.
    private let read: () throws -> String?

    /// Whether a person reads what is written and can type an answer.
    static func canAsk(_ console: Console) -> Bool {
      console.output.isTerminal && console.errors.isTerminal && StandardStreams.isTerminal(0)
    }

    /// Questions on a console's error stream.
    ///
    /// - Parameters:
    ///   - console: Where they are asked.
    ///   - read: Gives what is typed, line by line; the terminal's lines unless given.
    init(_ console: Console, read: (() throws -> String?)? = nil) {
      self.console = console
      self.read = read ?? TypedLines().next
    }

    /// Asks each decision once, and makes the scaffold again with the answer: one answer may settle
    /// others.
    func settle(
      _ first: PipelineScaffold, _ choices: PipelineScaffold.Choices
    ) throws -> PipelineScaffold {
      var (scaffold, choices) = (first, choices)
      var asked: Set<[String]> = []
      let isOpen = { (decision: PipelineScaffold.Decision) in
        asked.insert([decision.step, decision.key]).inserted
      }
      while let decision = scaffold.decisions.first(where: isOpen) {
        guard let number = try ask(decision, choices) else { break }
        guard decision.answers.indices.contains(number - 1) else { continue }
        choices.answers[decision] = decision.answers[number - 1]
        scaffold = PipelineScaffold(choices)
      }
      return scaffold
    }

    /// The number of the answer that is chosen; nil when the input has ended.
    private func ask(
      _ decision: PipelineScaffold.Decision, _ choices: PipelineScaffold.Choices
    ) throws -> Int? {
      let last = decision.answers.count + 1
      // What names and values hold is spelled out; the colour is the terminal's own.
      let (name, width) = (decision.name.oneLine, console.errorBreak)
      var lines = [
        "(\(decision.step)): \(decision.why)".printable
          .hanging(to: width, after: name.count + 1)
      ]
      if let preview = choices.preview(of: decision) {
        lines.append("In the store: \(preview)".printable.hanging(to: width))
      }
      let answers = decision.answers.map(\.line) + ["leave it undecided"]
      lines += answers.enumerated().map { place, line in
        let start = "  \(place + 1)  "
        return start
          + line.printable.hanging(to: width, after: start.count, indent: start.count)
      }
      let text = lines.joined(separator: "\n")
      console.complain("\n\(console.errorStyle.bold(name)) \(text)")
      while true {
        console.prompt("Which? [\(last)] ")
        guard let typed = try read() else { return nil }
        let word = typed.filter { !$0.isWhitespace }
        if word.isEmpty { return last }
        if let number = Int(word), (1...last).contains(number) { return number }
        console.complain("Type a number from 1 to \(last).")
      }
    }
  }
}

/// Lines from the terminal, as they are typed.
private final class TypedLines {
  private var waiting: [UInt8] = []
  private var isOver = false

  /// The next line; nil at the end of the input.
  func next() throws -> String? {
    while true {
      if let end = waiting.firstIndex(of: 0x0a) {
        defer { waiting.removeFirst(end + 1) }
        return String(decoding: waiting[..<end], as: UTF8.self)
      }
      guard !isOver else { return nil }
      // A signal ends the command: it is looked for five times a second.
      try Task.checkCancellation()
      guard let bytes = Streams.read(0, waiting: 200) else { continue }
      isOver = bytes.isEmpty
      waiting += bytes
    }
  }
}
