internal import Formats

/// What `trust` says as the JSON that programs rely on.
package struct JSONTrust {
  private let entries: [HookTrust]

  /// The document of some entries.
  package init(_ entries: [HookTrust]) { self.entries = entries }

  /// The document.
  package var text: String {
    let document: JSONValue = ["format": 1, "trusted": .array(entries.map(\.json))]
    return document.text(.pretty)
  }
}
