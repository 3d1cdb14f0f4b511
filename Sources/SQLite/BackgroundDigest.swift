internal import Dispatch
internal import Formats
internal import OperatingSystem
internal import Synchronization

/// A SHA-256 that another thread works out while its owner reads what comes next.
///
/// Where little comes, or the system has no thread to give, the owner does it at once.
package final class BackgroundDigest {
  private let hasher = Digest.Hasher(.sha256)
  private let line: Line?

  /// Below that, a thread costs more than it saves.
  private static let fewestBytes = 8 << 20

  /// A digest to which nothing has been added yet.
  ///
  /// - Parameters:
  ///   - bytes: About how many will come.
  ///   - stack: The thread's; it calls nothing deep.
  package init(ofBytes bytes: Int, stack: Int = 512 << 10) {
    guard bytes >= Self.fewestBytes else {
      line = nil
      return
    }
    let line = Line()
    self.line = (try? Threads.start(stack: stack) { line.work() }) == nil ? nil : line
  }

  deinit { line?.end() }

  /// Adds the first bytes of a buffer.
  ///
  /// It may be another one of the same size afterwards, whose content means nothing.
  package func add(_ buffer: inout [UInt8], first count: Int) {
    if let line { return line.add(&buffer, count) }
    unsafe buffer.withUnsafeBytes { bytes in
      unsafe hasher.update(UnsafeRawBufferPointer(rebasing: bytes[0..<count]))
    }
  }

  /// The digest of everything; nothing can be added any more.
  package func finish() -> [UInt8] { line?.finish() ?? hasher.finish() }

  /// Buffers that wait for the thread, in their order, and those that it has done with.
  private final class Line: Sendable {
    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    private let room = DispatchSemaphore(value: Line.most)
    private let done = DispatchSemaphore(value: 0)

    /// One is digested while the next one waits.
    private static let most = 2

    private struct State {
      var waiting: [(buffer: [UInt8], count: Int)] = []
      var free: [[UInt8]] = []
      var digest: [UInt8] = []
    }

    func add(_ buffer: inout [UInt8], _ count: Int) {
      room.wait()
      let size = buffer.count
      // Taken away before it is handed on: what has two owners is copied when one of them writes.
      let full = exchange(&buffer, for: [])
      buffer = state.withLock { state in
        state.waiting.append((full, count))
        return state.free.popLast() ?? []
      }
      if buffer.count != size { buffer = [UInt8](repeating: 0, count: size) }
      filled.signal()
    }

    private func exchange(_ buffer: inout [UInt8], for other: [UInt8]) -> [UInt8] {
      var other = other
      swap(&buffer, &other)
      return other
    }

    func finish() -> [UInt8] {
      end()
      done.wait()
      done.signal()
      return state.withLock { $0.digest }
    }

    /// Lets the thread go once it has done with all that waits.
    func end() { filled.signal() }

    func work() {
      let hasher = Digest.Hasher(.sha256)
      while let (buffer, count) = next() {
        unsafe buffer.withUnsafeBytes { bytes in
          unsafe hasher.update(UnsafeRawBufferPointer(rebasing: bytes[0..<count]))
        }
        state.withLock { if $0.free.count < Self.most { $0.free.append(buffer) } }
        room.signal()
      }
      let digest = hasher.finish()
      state.withLock { $0.digest = digest }
      done.signal()
    }

    private func next() -> (buffer: [UInt8], count: Int)? {
      filled.wait()
      return state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }
  }
}
