#if FAULTS
internal import Faults

/// Faults on purpose, in test builds alone: any call that changes a file may be killed at, be torn
/// or fail.
///
/// Our own calls and those of SQLite are counted together; `Sources/C/Faults` has the counter.
package enum FileFaults {
  /// What happens to a call.
  package enum Verdict: Sendable {
    /// It is made.
    case go
    /// It fails with this number, without having been made.
    case fail(Int32)
    /// Half of what it writes is written, then comes ``FileFaults/die()``.
    case tear
  }

  package static func verdict(on call: String, _ path: String) -> Verdict {
    let number = unsafe faults_next(call, path)
    return number == 0 ? .go : number == FAULTS_TEAR ? .tear : .fail(number)
  }

  /// Ends the process as `kill -9` does.
  package static func die() { faults_die() }

  /// Whether the free space is not to be asked for.
  package static var countsOnSpace: Bool { faults_count_on_space() != 0 }

  /// The bytes that the log of an overlay may always have, where a short one is to start over.
  package static var longestLog: Int? {
    let bytes = faults_longest_log()
    return bytes > 0 ? Int(bytes) : nil
  }

  /// Makes SQLite count, too.
  package static func install() { faults_install() }
}
#endif
