package import Foundation
internal import OperatingSystem

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
    let file = try open(path)
    return try withExtendedLifetime(file) {
      try body(FileHandle(fileDescriptor: file.number, closeOnDealloc: false))
    }
  }

  /// Opens it; callers know the errors of Foundation, with which they read.
  private static func open(_ path: String) throws -> OpenDescriptor {
    do throws(SystemError) {
      return try OpenDescriptor(following: path)
    } catch {
      if error.isMissing { throw CocoaError(.fileReadNoSuchFile) }
      throw NSError(
        domain: NSPOSIXErrorDomain, code: Int(error.number),
        userInfo: [NSLocalizedDescriptionKey: error.message])
    }
  }
}
