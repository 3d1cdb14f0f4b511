internal import Formats
internal import Foundation

/// The name of a run: when it began, and something that no other run has.
struct RunID {
  /// The name, "5f0c9a1e-20261121T143000Z".
  let text: String
  /// When the run began, to the second; it stays the same when the run is resumed later.
  let start: Date

  /// The name of a run that begins now.
  init() {
    let seconds = Date().timeIntervalSince1970.rounded(.down)
    start = Date(timeIntervalSince1970: seconds)
    let mark = UUID().uuidString.prefix(8).lowercased()
    text = "\(mark)-\(TimeText(seconds).basic)"
  }

  /// The name that a run was given when it began.
  init(text: String) {
    self.text = text
    let seconds = TimeText.seconds(basic: text.split(separator: "-").last ?? "")
    start = Date(timeIntervalSince1970: Double(seconds ?? 0))
  }
}
