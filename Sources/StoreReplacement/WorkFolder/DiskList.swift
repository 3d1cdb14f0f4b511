internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import Synchronization

/// Bytes that are written one after the other and read again: the first of them in memory, what is
/// more in a file without a name, which goes with its last user or with the process.
package final class DiskList: Sendable {
  private final class File: Sendable {
    let descriptor: OpenDescriptor

    /// Makes a file and takes its name away again.
    init() throws {
      let name = "pipeline-spool-\(UUID().uuidString)"
      let path = FileManager.default.temporaryDirectory.appending(path: name).path
      descriptor = try OpenDescriptor(creatingToRead: path)
      // "If one or more processes have the file open when the last link is removed ... the removal
      // of the file contents shall be postponed until all references to the file are closed"
      // (POSIX, unlink).
      try FileMoves.remove(path)
    }
  }

  private struct State {
    var file: File?
    var written: Int64 = 0
    var pending: [UInt8] = []
  }

  private let state = Mutex(State())

  /// What stays in memory.
  private static let most = 1 << 18

  /// An empty one.
  package init() {}

  /// How many bytes there are.
  package var count: Int64 { state.withLock { $0.written + Int64($0.pending.count) } }

  /// Adds bytes at the end.
  ///
  /// - Throws: ``Failure`` when the folder for files that do not last cannot be written.
  package func append(_ bytes: some Collection<UInt8>) throws {
    try telling {
      try state.withLock { state in
        state.pending += bytes
        guard state.pending.count >= Self.most else { return }
        let file = try state.file ?? File()
        state.file = file
        try file.descriptor.write(state.pending[...])
        state.written += Int64(state.pending.count)
        state.pending.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Up to so many bytes from a place on; none at the end.
  ///
  /// - Throws: ``Failure`` when they cannot be read.
  package func read(_ count: Int, at place: Int64) throws -> [UInt8] {
    try telling {
      try state.withLock { state in
        guard place < state.written, let file = state.file else {
          let start = Int(clamping: max(0, place - state.written))
          return Array(state.pending.dropFirst(start).prefix(count))
        }
        let count = min(Int64(count), state.written - place)
        return try file.descriptor.read(Int(count), at: place)
      }
    }
  }

  /// Hands over all of it, a piece at a time.
  ///
  /// - Throws: ``Failure`` when it cannot be read, and what `body` throws.
  package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    var place: Int64 = 0
    while true {
      let piece = try read(Self.most, at: place)
      guard !piece.isEmpty else { return }
      place += Int64(piece.count)
      try body(piece)
    }
  }

  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SystemError {
      throw Failure(
        error, what: "cannot keep what was found for the report",
        subject: FileManager.default.temporaryDirectory.path)
    }
  }
}
