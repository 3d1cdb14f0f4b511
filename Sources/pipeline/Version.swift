import StorePipeline

/// Which release this is.
enum Version {
  /// The number, by semver.org.
  static let number = LibraryVersions.own
  /// The day of the release, as the manual page shows it.
  static let date = "November 21, 2026"

  static var text: String {
    """
    pipeline \(number)
    SQLite \(LibraryVersions.sqlite)
    Lua \(LibraryVersions.lua)
    """ + (LibraryVersions.jpeg.map { "\n\($0)" } ?? "")
      + (LibraryVersions.usesVips ? "\nlibvips, loaded with the first picture that needs it" : "")
  }
}
