import CoreDataStore
import Lua

/// The versions of the libraries this build runs with, as `pipeline --version` prints them.
package enum LibraryVersions {
  /// This library's own, by semver.org.
  package static let own = "0.1.0"

  /// SQLite's, as the library that was loaded says.
  package static var sqlite: String { StoreEngine.version }

  /// Lua's, without its name.
  package static var lua: String {
    LuaState.version.split(separator: " ").last.map(String.init) ?? LuaState.version
  }

  /// The name and release of the library for JPEGs; nil where the trait `Images` is off.
  package static var jpeg: String? { LuaState.jpegVersion }

  /// Whether libvips is loaded when a picture needs it; that takes longer than most commands do, so
  /// that it is not asked for its own version.
  package static var usesVips: Bool { LuaState.hasPictures }
}
