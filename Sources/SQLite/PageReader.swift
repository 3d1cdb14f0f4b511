internal import CSQLite
internal import PageHost

/// Gives a walk the pages of a snapshot.
///
/// A walk goes from the first row of a table to the last, and the pages that were written one after
/// the other often lie so: several are read at once then.
final class PageReader {
  /// Why the last page could not be read.
  private(set) var failure: SQLiteError?

  private let snapshot: Snapshot
  private let pageSize: Int
  private let pageCount: Int
  private var block: [UInt8]
  private var pages = 0..<0
  private var last = 0
  private var count = 0

  /// How many pages are read at once, and how near the next page must be.
  private static let run = 14
  private static let near = 4
  /// After so many pages it is asked whether the time is over.
  private static let pause = 1000

  init(_ snapshot: Snapshot, pageSize: Int, pageCount: Int) {
    (self.snapshot, self.pageSize, self.pageCount) = (snapshot, pageSize, pageCount)
    block = Array(repeating: 0, count: Self.run * pageSize)
  }

  /// What the walk is given in order to find this reader again, which must live as long.
  var address: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// The call by which a walk reads a page.
  static let read: ph_read = { context, page, target in
    guard let context = unsafe context, let target = unsafe target else { return false }
    let reader = unsafe Unmanaged<PageReader>.fromOpaque(context).takeUnretainedValue()
    do throws(SQLiteError) {
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: target, count: reader.pageSize)
      unsafe try reader.read(Int(page), into: buffer)
      return true
    } catch {
      reader.failure = error
      return false
    }
  }

  private func read(
    _ page: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(SQLiteError) {
    count += 1
    if count % Self.pause == 0, snapshot.connection.progress?.shouldGoOn() == false {
      throw .forCode(SQLITE_INTERRUPT, path: snapshot.connection.path)
    }
    defer { last = page }
    if !pages.contains(page) {
      let most = min(Self.run, pageCount - page + 1)
      let isNear = page > last && page <= last + Self.near
      let run = isNear ? snapshot.runLength(from: page, most: most) : 1
      guard run > 1 else {
        return unsafe try snapshot.read(page: page, into: target, pageSize: pageSize)
      }
      pages = 0..<0
      unsafe try block.fillBytes { (bytes) throws(SQLiteError) in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<(run * pageSize)])
        unsafe try snapshot.read(page: page, into: part, pageSize: pageSize)
      }
      pages = page..<page + run
    }
    let start = (page - pages.lowerBound) * pageSize
    unsafe block.withUnsafeBytes { bytes in
      unsafe target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + pageSize]))
    }
  }
}
