import CoreDataStore
import Lua

/// The versions of the libraries this build runs with, as `pipeline --version` prints them.
package enum LibraryVersions {
  /// SQLite's, as the library that was loaded says.
  package static var sqlite: String { StoreEngine.version }

  /// Lua's, without its name.
  package static var lua: String {
    LuaState.version.split(separator: " ").last.map(String.init) ?? LuaState.version
  }
}
