internal import SystemHost

/// The calls that give files other names and remove them, for `FileMoves` alone: nothing else moves
/// or deletes a file.
package enum FileNames {
  /// Gives a file another name; what had that name is gone.
  package static func rename(_ old: String, to new: String) throws(SystemError) {
    try SystemError.check("rename", unsafe sh_rename(old, new))
  }

  /// Gives a file one more name, which nothing may have.
  package static func link(_ old: String, to new: String) throws(SystemError) {
    try SystemError.check("link", unsafe sh_link_file(old, new))
  }

  /// Removes a name, and the file with its last one.
  package static func unlink(_ path: String) throws(SystemError) {
    try SystemError.check("unlink", unsafe sh_unlink(path))
  }

  /// Removes a folder that is empty.
  package static func removeFolder(_ path: String) throws(SystemError) {
    try SystemError.check("rmdir", unsafe sh_remove_folder(path))
  }
}
