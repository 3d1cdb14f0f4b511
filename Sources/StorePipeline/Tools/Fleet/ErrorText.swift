/// The text of an error in its parts, as reports of many stores show it.
///
/// A failure says what was being done, why it failed, and what to do. A mistake in a file of the
/// user's has its place and what is wrong there; what follows shows the place, or has answers.
struct ErrorText {
  /// What was being done; nil of a mistake.
  let what: String?
  /// Why it failed, or the mistake with its place; empty where there is no text.
  let why: String
  /// What to do now; empty where nothing says so.
  let remedy: String
  /// The file that has the mistake, where its line is known.
  let file: String?

  init(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    let first = lines.first ?? ""
    let file = Self.file(of: first)
    let isMistake = file != nil || lines.count < 2 || lines[1].hasPrefix(" ")
    self.file = file
    what = isMistake ? nil : String(first.prefix { $0 != ":" })
    why = isMistake ? first : lines[1]
    let rest = lines.dropFirst(2)
    let last = (isMistake ? rest.last : rest.first { !$0.hasPrefix(" ") }) ?? ""
    remedy = String(last.drop { $0 == " " })
  }

  /// The file of `FILE:LINE: what is wrong`.
  private static func file(of line: String) -> String? {
    // What a failure is about may be called so, too.
    guard !line.hasPrefix("cannot ") else { return nil }
    let parts = line.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 2 else { return nil }
    let place = (1..<parts.count - 1).first {
      !parts[$0].isEmpty && parts[$0].allSatisfy(\.isNumber) && parts[$0 + 1].hasPrefix(" ")
    }
    return place.map { parts[..<$0].joined(separator: ":") }
  }
}
