#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What differs between systems' C libraries.
enum Platform {
  /// The most memory that a child which has ended held at a time, in bytes.
  ///
  /// Asked by a small process: "the maximum resident set size" of a child begins with that of the
  /// process it was made from.
  static var peakMemoryOfChildren: Int {
    var usage = rusage()
    #if canImport(Darwin)
    // getrusage(2), macOS: "the maximum resident set size utilized (in bytes)".
    guard unsafe getrusage(RUSAGE_CHILDREN, &usage) == 0 else { return 0 }
    return usage.ru_maxrss
    #else
    // getrusage(2), Linux: "the maximum resident set size used (in kilobytes) ... For
    // RUSAGE_CHILDREN, this is the resident set size of the largest child".
    guard unsafe getrusage(Int32(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
    return usage.ru_maxrss * 1024
    #endif
  }
}
