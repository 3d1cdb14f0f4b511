import Foundation
import Synchronization

/// Does many things at once, each with a folder of its own.
enum Workers {
  /// The results in the order of the items; an error is a result's matter.
  static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item], in scratch: URL, _ body: @Sendable (Item, URL) -> Result
  ) -> [Result] {
    let next = Mutex(0)
    let found = Mutex<[Int: Result]>([:])
    let count = max(1, min(ProcessInfo.processInfo.activeProcessorCount, items.count))
    DispatchQueue.concurrentPerform(iterations: count) { worker in
      let folder = scratch.appending(path: "worker-\(worker)")
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < items.count else { return }
        let result = body(items[index], folder)
        found.withLock { $0[index] = result }
      }
    }
    return found.withLock { found in items.indices.compactMap { found[$0] } }
  }
}
