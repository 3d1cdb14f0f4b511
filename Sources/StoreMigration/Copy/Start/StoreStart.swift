/// How a store that is made from another one begins.
package enum StoreStart: String, Sendable, Hashable, CaseIterable {
  /// On top of the other one's pages, which stay where they are: only what changes is written.
  case overlay
  /// As a copy of the other one's pages: tables that stay as they are need no work.
  case clone
  /// With empty tables.
  case empty
  /// With empty tables, all pages in a log that needs no sync from commit to commit.
  case logged
}
