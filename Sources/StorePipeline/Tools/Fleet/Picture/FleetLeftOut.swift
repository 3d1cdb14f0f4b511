extension FleetPicture {
  /// What a search has found and does not look at, so that the picture does not seem to be whole.
  struct LeftOut: Sendable {
    enum Reason: Int, Sendable, CaseIterable {
      /// Its name is not UTF-8, so that no path leads to it.
      case unnamed
      /// A file or folder whose name begins with a dot.
      case hidden
      /// A link to what was not found by itself.
      case link
      /// A further name of a file that was found.
      case hardLink
      /// A file that may not be read, and whose name does not say what it is.
      case unreadable
    }

    private var found: [Reason: (count: Int, example: String)] = [:]

    init() {}

    /// Counts one more; the first of a reason is its example.
    mutating func add(_ reason: Reason, _ path: String) {
      found[reason, default: (0, path)].count += 1
    }

    /// A sentence for each reason, with a count and an example.
    var sentences: [String] {
      Reason.allCases.compactMap { reason in
        found[reason].map { "left out: \(reason.words($0.count, $0.example))" }
      }
    }
  }
}

extension FleetPicture.LeftOut.Reason {
  fileprivate func words(_ count: Int, _ example: String) -> String {
    switch self {
    case .unnamed:
      "\(Plural.text(count, "name")) not in UTF-8, such as \(example); rename what is a store"
    case .hidden:
      "\(Plural.text(count, "hidden entry")), such as \(example); give its path to look at it"
    case .link:
      "\(Plural.text(count, "symbolic link")), such as \(example); give its path to look at "
        + "what it leads to"
    case .hardLink:
      "\(Plural.text(count, "hard link")) to stores that are counted already, such as \(example); "
        + "`run` replaces no store that has two names"
    case .unreadable:
      "\(Plural.text(count, "file")) that cannot be read and may be a store, such as \(example)"
    }
  }
}
