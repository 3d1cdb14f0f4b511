internal import OperatingSystem
internal import SQLite

/// A file of all pages that a database has at one moment.
///
/// They are written as they are read, and digested on the way: the backup API would write them one
/// by one, to be read again for their image.
enum PageFile {
  /// Writes a new file; gives back the image of what was read.
  static func write(
    _ source: Connection, to path: String, progress: PageProgress
  ) throws -> PageImage {
    var attempt = 1
    while true {
      var writer = try Writer(path)
      do {
        return try source.copyPages(to: { writer.take($0, $1) }, progress: progress)
      } catch {
        if let failure = writer.failure { throw failure }
        guard writer.isBegunAnew, attempt < attempts else { throw error }
        attempt += 1
        try FileMoves.remove(path)
      }
    }
  }

  /// How often it is begun anew because the source's log is.
  private static let attempts = 10

  /// Appends pages as long as they come in their order.
  private struct Writer: ~Copyable {
    private let file: OpenDescriptor
    private var length: Int64 = 0
    private(set) var failure: SystemError?
    /// Whether the pages come once more, from the first.
    private(set) var isBegunAnew = false

    init(_ path: String) throws(SystemError) { file = try OpenDescriptor(creating: path) }

    mutating func take(_ offset: Int64, _ pages: ArraySlice<UInt8>) -> Bool {
      guard offset == length else {
        isBegunAnew = true
        return false
      }
      do throws(SystemError) {
        try file.write(pages)
        length += Int64(pages.count)
        return true
      } catch {
        failure = error
        return false
      }
    }
  }
}
