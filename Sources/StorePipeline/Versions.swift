/// The versions of the libraries this build runs with, as `pipeline --version` prints them.
package enum LibraryVersions {
  /// SQLite's, as the library that was loaded says.
  package static var sqlite: String { "unknown" }

  /// Lua's, as the library that was loaded says.
  package static var lua: String { "unknown" }
}
