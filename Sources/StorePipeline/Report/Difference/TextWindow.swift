/// Cuts two long texts so that the part in which they differ stays.
enum TextWindow {
  /// Both texts with at most `limit` characters, and an ellipsis where something was cut.
  static func cut(_ old: String, _ new: String, limit: Int) -> (old: String, new: String) {
    guard old.count > limit || new.count > limit else { return (old, new) }
    let common = zip(old, new).prefix { $0 == $1 }.count
    let start = common > limit / 2 ? common - limit / 4 : 0
    return (part(old, from: start, limit), part(new, from: start, limit))
  }

  /// One text with at most `limit` characters.
  static func cut(_ text: String, limit: Int) -> String { part(text, from: 0, limit) }

  private static func part(_ text: String, from start: Int, _ limit: Int) -> String {
    let rest = text.dropFirst(min(start, max(0, text.count - limit / 4)))
    let kept = rest.prefix(limit)
    return (kept.startIndex > text.startIndex ? "…" : "") + kept
      + (kept.endIndex < text.endIndex ? "…" : "")
  }
}
