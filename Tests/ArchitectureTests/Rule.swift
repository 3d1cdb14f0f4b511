import Testing

/// A rule of the house that no compiler checks.
///
/// A rule brings the texts that show what it refuses and what it lets pass, so that none is empty.
struct Rule: Sendable, CustomTestStringConvertible {
  /// A place that breaks a rule.
  struct Offence: Sendable, CustomStringConvertible {
    var path: String
    var line: Int
    var reason: String

    var description: String { "\(path):\(line): \(reason)" }
  }

  /// What is so, in a sentence.
  let name: String
  /// Files of which each alone breaks the rule.
  let refused: [SourceFile]
  /// Files that keep it together.
  let allowed: [SourceFile]
  /// The places in these files that break the rule.
  let check: @Sendable ([SourceFile]) -> [Offence]

  var testDescription: String { name }

  init(
    _ name: String, refused: [SourceFile], allowed: [SourceFile],
    check: @escaping @Sendable ([SourceFile]) -> [Offence]
  ) {
    self.name = name
    self.refused = refused
    self.allowed = allowed
    self.check = check
  }

  /// A rule that looks at one file at a time.
  init(
    _ name: String, refused: [SourceFile], allowed: [SourceFile],
    checkEach: @escaping @Sendable (SourceFile) -> [Offence]
  ) {
    self.init(name, refused: refused, allowed: allowed) { $0.flatMap(checkEach) }
  }

  /// The rules of the house; add yours to it.
  static let all = [
    unsafeIsNamed, filesMoveInOnePlace, platformsDifferInOnePlace, linksResolveInOnePlace,
    importsPointDown, foldersPointOneWay, nothingLeftOver, libraryStaysQuiet, fileIsShort,
    functionIsShort, mostFunctionsAreShort, nameHasItsTest, noMachineIsNamed, plainWords,
  ]
}

extension SourceFile {
  /// An offence at `line` of this file.
  func offence(_ line: Int, _ reason: String) -> Rule.Offence {
    Rule.Offence(path: path, line: line, reason: reason)
  }

  /// An offence for each of these words that `isOffence` finds.
  func offences(_ reason: String, where isOffence: (Word) -> Bool) -> [Rule.Offence] {
    words.filter(isOffence).map { offence($0.line, "`\($0.text)` \(reason)") }
  }

  /// The target the file belongs to: `Sources/SQLite` of `Sources/SQLite/Value.swift`.
  var layer: String {
    let parts = path.split(separator: "/")
    // Those in C stand in a folder of their own.
    return parts.prefix(parts.dropFirst().first == "C" ? 3 : 2).joined(separator: "/")
  }
}

extension SourceFile.Word {
  /// Whether the word is a C function that is called or passed on; Swift may name its module first.
  func isCFunction(in file: SourceFile) -> Bool {
    guard let index = file.words.firstIndex(where: { $0.range == range }), index > 0 else {
      return true
    }
    let previous = file.words[index - 1].text
    return before != UInt8(ascii: ".") ? previous != "func" : Self.libraries.contains(previous)
  }

  private static let libraries: Set = ["Glibc", "Darwin", "Musl", "Foundation", "Android"]
}
