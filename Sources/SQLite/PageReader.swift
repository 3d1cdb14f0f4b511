internal import CSQLite
internal import Dispatch
internal import OperatingSystem
internal import PageHost
internal import Synchronization

/// Gives a walk the pages of a snapshot.
///
/// A walk goes from the first row of a table to the last, and the pages that were written one after
/// the other often lie so: several are read at once then.
final class PageReader {
  /// Why the last page could not be read.
  private(set) var failure: SQLiteError?
  /// How long a processor worked for the other thread.
  private(set) var helped = Duration.zero

  private let snapshot: Snapshot
  /// One thread at a time reads: a file that SQLite has open is for one.
  private let turn: Turn
  private let isHelper: Bool
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

  convenience init(_ snapshot: Snapshot, pageSize: Int, pageCount: Int) {
    self.init(snapshot, Turn(), isHelper: false, pageSize, pageCount)
  }

  private init(
    _ snapshot: Snapshot, _ turn: Turn, isHelper: Bool, _ pageSize: Int, _ pageCount: Int
  ) {
    (self.snapshot, self.turn, self.isHelper) = (snapshot, turn, isHelper)
    (self.pageSize, self.pageCount) = (pageSize, pageCount)
    block = Array(repeating: 0, count: Self.run * pageSize)
  }

  private final class Turn: Sendable { let lock = Mutex(()) }

  /// What the walk is given in order to find this reader again, which must live as long.
  private var address: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// The call by which a walk reads a page.
  private static let read: ph_read = { context, page, target in
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
    if count % Self.pause == 0, !isHelper { try goOn() }
    defer { last = page }
    if !pages.contains(page) {
      let most = min(Self.run, pageCount - page + 1)
      let isNear = page > last && page <= last + Self.near
      let run = isNear ? snapshot.runLength(from: page, most: most) : 1
      guard run > 1 else {
        return unsafe try fill(target, from: page)
      }
      pages = 0..<0
      unsafe try block.fillBytes { (bytes) throws(SQLiteError) in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<(run * pageSize)])
        unsafe try fill(part, from: page)
      }
      pages = page..<page + run
    }
    let start = (page - pages.lowerBound) * pageSize
    unsafe block.withUnsafeBytes { bytes in
      unsafe target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + pageSize]))
    }
  }

  private func fill(
    _ target: UnsafeMutableRawBufferPointer, from page: Int
  ) throws(SQLiteError) {
    try turn.lock.withLock { (_) throws(SQLiteError) in
      unsafe try snapshot.read(page: page, into: target, pageSize: pageSize)
    }
  }

  /// Throws when the time is over.
  private func goOn() throws(SQLiteError) {
    guard snapshot.connection.progress?.shouldGoOn() == false else { return }
    throw .forCode(SQLITE_INTERRUPT, path: snapshot.connection.path)
  }
}

extension PageReader {
  /// Below that, a thread costs more than it saves.
  private static let fewestBytes = 8 << 20

  /// Reads the trees of a file; false where they are not proved sound.
  ///
  /// Two threads read a large one, a tree each, until none is left.
  func walk(_ file: UnsafeMutablePointer<ph_file>) throws(SQLiteError) -> Bool {
    var isSound = unsafe ph_begin(file, Self.read, address) == PH_SOUND
    if isSound {
      let isLarge = pageSize * pageCount >= Self.fewestBytes
      let other = isLarge ? unsafe WalkHelper.start(file, helper()) : nil
      isSound = unsafe ph_walk(file, Self.read, address) == PH_SOUND
      if let other { unsafe finish(other, file) }
    }
    if let failure { throw failure }
    return unsafe isSound && ph_end(file) == PH_SOUND
  }

  /// A reader of the same pages for another thread, which does not ask whether the time is over.
  private func helper() -> PageReader {
    PageReader(snapshot, turn, isHelper: true, pageSize, pageCount)
  }

  /// Waits for the other thread, and lets it go when the time is over.
  private func finish(_ helper: WalkHelper, _ file: UnsafeMutablePointer<ph_file>) {
    while !helper.isDone(within: .milliseconds(50)) {
      do throws(SQLiteError) {
        if failure == nil { try goOn() }
      } catch {
        failure = error
        unsafe ph_stop(file)
      }
    }
    failure = failure ?? helper.reader.failure
    helped = helper.time
  }

  /// Another thread that reads trees of a walk.
  ///
  /// It has `reader` to itself until it is done.
  private final class WalkHelper {
    let reader: PageReader
    private let end = End()

    private final class End: Sendable {
      let signal = DispatchSemaphore(value: 0)
      let time = Mutex(Duration.zero)
    }

    private init(_ reader: PageReader) { self.reader = reader }

    /// Nil where the system has no thread to give.
    static func start(
      _ file: UnsafeMutablePointer<ph_file>, _ reader: PageReader
    ) -> WalkHelper? {
      let helper = WalkHelper(reader)
      let end = helper.end
      nonisolated(unsafe) let file = unsafe file
      // Only lent to the thread: once it is done, it must not be the last to have the connection,
      // and close it at any time.
      nonisolated(unsafe) let address = unsafe reader.address
      // It calls nothing deep.
      let thread: ()? = try? Threads.start(stack: 512 << 10) {
        _ = unsafe ph_walk(file, PageReader.read, address)
        end.time.withLock { $0 = Threads.time }
        end.signal.signal()
      }
      return thread == nil ? nil : helper
    }

    /// How long a processor worked for it, once it is done.
    var time: Duration { end.time.withLock { $0 } }

    func isDone(within limit: DispatchTimeInterval) -> Bool {
      end.signal.wait(timeout: .now() + limit) == .success
    }
  }
}
