internal import CoreDataStore
package import StoreMigration

/// How the store of a step begins, and why so.
public struct PlannedStart: Sendable, Hashable {
  /// The ways there are.
  public enum Way: String, Sendable, Hashable, CaseIterable {
    /// On top of the source's pages, which are not copied: only what changes is written.
    case overlay
    /// As a copy of the source's pages: what stays as it is needs no work.
    case clone
    /// With empty tables.
    case empty
  }

  /// The way; nil where only a store shows it.
  public let how: Way?
  /// Why so.
  public let why: String
  /// Whether the store has to be a file of its own before it takes the old one's place.
  let isFile: Bool

  /// A start in all its parts.
  package init(how: Way?, why: String, isFile: Bool = true) {
    self.how = how
    self.why = why
    self.isFile = isFile
  }

  /// The same for the builder of the store; where it is unknown the store begins empty.
  package var start: StoreStart {
    switch how {
    case .overlay: isFile ? .clone : .overlay
    case .clone: .clone
    case .empty, nil: isFile ? .empty : .logged
    }
  }
}
