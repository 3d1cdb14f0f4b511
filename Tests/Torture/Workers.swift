import Foundation
import Synchronization

/// Does many things at once, each with a folder of its own.
enum Workers {
  /// The results in the order of the items; an error is a result's matter.
  static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item], in scratch: URL, _ body: @escaping @Sendable (Item, URL) -> Result
  ) -> [Result] {
    let results = Results<Result>(count: items.count)
    let workers = DispatchGroup()
    for worker in 0..<min(count, items.count) {
      let folder = scratch.appending(path: "worker-\(worker)")
      workers.enter()
      // `concurrentPerform` would not start more than there are processors.
      DispatchQueue(label: folder.lastPathComponent).async {
        defer { workers.leave() }
        while let index = results.next() { results.note(body(items[index], folder), at: index) }
      }
    }
    workers.wait()
    return results.inOrder
  }

  /// Half as many again as there are processors: what waits for a process or a disk leaves one
  /// idle.
  private static var count: Int {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return processors + (processors + 1) / 2
  }
}

/// What workers share: which item is next, and what was found so far.
private final class Results<Result: Sendable>: Sendable {
  private let count: Int
  private let begun = Mutex(0)
  private let found = Mutex<[Int: Result]>([:])

  init(count: Int) { self.count = count }

  /// The place of an item that nobody has begun; nil when there is none left.
  func next() -> Int? {
    begun.withLock { begun in
      guard begun < count else { return nil }
      defer { begun += 1 }
      return begun
    }
  }

  func note(_ result: Result, at index: Int) { found.withLock { $0[index] = result } }

  /// All that was found, in the order of the items.
  var inOrder: [Result] {
    found.withLock { found in (0..<count).compactMap { found[$0] } }
  }
}
