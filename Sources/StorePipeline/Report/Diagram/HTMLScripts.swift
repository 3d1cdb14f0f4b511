internal import Formats

/// The scripts of a page, and what keeps all others from running.
enum HTMLScripts {
  static func element(_ source: String) -> String { "<script>\(source)</script>" }

  /// Nothing is loaded or sent, and no script runs but those that are named by their digests.
  static func policy(_ scripts: [String]) -> String {
    let digests = scripts.map { "'sha256-\(Base64.encode(Digest.sha256(Array($0.utf8))))'" }
    return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
      + "script-src \(digests.joined(separator: " "))"
  }
}
