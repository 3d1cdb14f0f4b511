import Foundation

@testable import StorePipeline

/// The words that `ctx` has, read from the text that makes it.
enum ScriptPreludeWords {
  /// The names of the members, and `state`.
  static func all() throws -> [String] {
    let text = ScriptPrelude.text
    let start = text.range(of: "local members = {\n")?.upperBound ?? text.endIndex
    let end = text.range(of: "\n}\n\nlocal ctx", range: start..<text.endIndex)?.lowerBound
    let lines = text[start..<(end ?? text.endIndex)].split(separator: "\n").filter {
      $0.hasPrefix("  ") && !$0.hasPrefix("   ")
    }
    return lines.compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? parts[0].filter { $0 != " " } : nil
    } + ["state"]
  }
}
