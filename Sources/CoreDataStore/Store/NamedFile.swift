package import Foundation

/// Files that the user names to be read, be it that one of them is a store that is open.
package enum NamedFile {
  /// Reads a file; links are followed, and a pipe's other end is waited for.
  ///
  /// Foundation would close the file at once, and with it drop the locks that SQLite has on it.
  ///
  /// - Throws: What `body` throws, and an error that says why the file cannot be opened.
  package static func read<Result>(
    _ path: String, _ body: (FileHandle) throws -> Result
  ) throws -> Result {
    let file = try OpenDescriptor(following: path)
    return try withExtendedLifetime(file) {
      try body(FileHandle(fileDescriptor: file.number, closeOnDealloc: false))
    }
  }
}
