#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What differs between the systems the measurements run on.
enum Platform {
  /// The most memory this process has held, in bytes.
  static var peakMemory: Int {
    var usage = rusage()
    // 0 is RUSAGE_SELF, to Swift a number on one system and an enumeration on another.
    guard unsafe getrusage(0, &usage) == 0 else { return 0 }
    // getrusage(2): in kilobytes on Linux; on macOS in bytes.
    #if os(Linux)
    return usage.ru_maxrss * 1024
    #else
    return usage.ru_maxrss
    #endif
  }
}
