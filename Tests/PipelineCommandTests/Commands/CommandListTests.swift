import Foundation
import Testing

@testable import pipeline

/// What must be true of every command there will ever be.
@Suite("Command list")
struct CommandListTests {
  static let commands = Program.pipeline.commands

  @Test("every argument has help that ends in a full stop", arguments: commands)
  func help(command: CommandDescription) {
    for argument in command.arguments + command.shared {
      #expect(argument.help.hasSuffix(".") && argument.help.first?.isUppercase == true)
    }
    #expect(command.summary.hasSuffix(".") && command.summary.count < 66)
  }

  @Test("names are unique, and words of small letters and dashes", arguments: commands)
  func names(command: CommandDescription) {
    let options = command.options + command.shared
    let names = command.path + options.map(\.name)
    #expect(Set(options.map(\.name)).count == options.count)
    #expect(Set(options.compactMap(\.short)).count == options.compactMap(\.short).count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z][a-z-]*/) != nil })
  }

  @Test("at most one positional takes what is left over", arguments: commands)
  func repeats(command: CommandDescription) {
    #expect(command.positionals.count(where: \.repeats) <= 1)
  }

  @Test("every command has an example, and its examples parse", arguments: commands)
  func examples(command: CommandDescription) throws {
    #expect(!command.examples.isEmpty)
    for example in command.examples {
      let words = try #require(Self.words(of: example.line))
      guard case .command(let type, let topic, let rest) = try Program.pipeline.request(words)
      else {
        Issue.record("\(example.line) runs no command")
        continue
      }
      #expect(topic.words == "pipeline " + command.path.joined(separator: " "))
      _ = try type.read(rest, at: topic)
    }
  }

  /// The words after `pipeline`, up to what belongs to the shell.
  private static func words(of line: String) -> [String]? {
    var words: [String] = []
    var quote: Character?
    var word: String?
    guard let start = line.range(of: "pipeline ") else { return nil }
    for letter in line[start.upperBound...] + " " {
      if letter == quote {
        quote = nil
      } else if quote == nil, letter == "'" || letter == "\"" {
        (quote, word) = (letter, word ?? "")
      } else if quote == nil, " |>)".contains(letter) {
        if let word { words.append(word) }
        word = nil
        guard letter == " " else { break }
      } else {
        word = (word ?? "") + String(letter)
      }
    }
    return quote == nil ? words : nil
  }
}
