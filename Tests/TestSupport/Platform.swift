import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The largest file that a process may write: what goes beyond kills it, or fails.
public enum FileLimit {
  /// "If a write would cause the file size to exceed the limit, a SIGXFSZ signal is generated; if
  /// it is ignored, the write fails with EFBIG" (POSIX, setrlimit).
  public static func set(_ bytes: Int, kills: Bool = true) {
    var signals = sigset_t()
    _ = unsafe sigemptyset(&signals)
    _ = unsafe sigaddset(&signals, SIGXFSZ)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    _ = signal(SIGXFSZ, kills ? SIG_DFL : SIG_IGN)
    var limit = rlimit()
    limit.rlim_cur = rlim_t(bytes)
    limit.rlim_max = rlim_t(bytes)
    #if os(Linux)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
    _ = unsafe setrlimit(RLIMIT_FSIZE, &limit)
    #endif
  }
}

extension FileLimit {
  /// Does something while the process can open no more files than it has.
  public static func openingNoFile<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if os(Linux)
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let kind = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    _ = unsafe getrlimit(kind, &limit)
    let usual = limit.rlim_cur
    let next = unsafe open("/dev/null", O_RDONLY)
    _ = close(next)
    // "One greater than the maximum file descriptor number that can be opened" (getrlimit(2)).
    limit.rlim_cur = rlim_t(next)
    _ = unsafe setrlimit(kind, &limit)
    defer {
      limit.rlim_cur = usual
      _ = unsafe setrlimit(kind, &limit)
    }
    return try body()
  }
}

/// A pipe with a name, as a stranger may put one in a file's place.
public enum NamedPipe {
  /// Makes one; false when that cannot be done.
  public static func make(_ path: String) -> Bool { unsafe mkfifo(path, 0o600) == 0 }
}

/// What a file carries in addition to its content.
///
/// Glibc's module leaves these calls out; Darwin's have two parameters more, a place and options.
public enum ExtendedAttribute {
  private typealias Set =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, Int, UInt32, Int32
    ) -> Int32
  private typealias Get =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int, UInt32, Int32
    ) -> Int

  /// Sets one; false where the file system has none.
  public static func set(_ name: String, _ value: String, of path: String) -> Bool {
    guard let call = unsafe dlsym(dlopen(nil, RTLD_NOW), "setxattr") else { return false }
    return unsafe unsafeBitCast(call, to: Set.self)(path, name, value, value.utf8.count, 0, 0) == 0
  }

  /// Whether a file has one.
  public static func has(_ name: String, of path: String) -> Bool {
    guard let call = unsafe dlsym(dlopen(nil, RTLD_NOW), "getxattr") else { return false }
    return unsafe unsafeBitCast(call, to: Get.self)(path, name, nil, 0, 0, 0) >= 0
  }
}

/// What the tests do in another way on each platform.
public enum Platform {
  /// The option of cp that clones a file or fails.
  public static var cloning: [String] {
    #if canImport(Darwin)
    ["-c"]
    #else
    ["--reflink=always"]
    #endif
  }

  /// Closes the sockets that a process of an exit test was born with.
  ///
  /// On Linux it has a copy of whatever its test had open just then. By a socket Foundation's
  /// `Process` sees that a command has ended, when nobody has its other end any more.
  static func leaveSockets() {
    #if !canImport(Darwin)
    let folder = "/proc/self/fd"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      guard file?.hasPrefix("socket:") == true, let descriptor = Int32(name) else { continue }
      close(descriptor)
    }
    #endif
  }
}

/// The variables of this process, for one that an exit test has started.
public enum EnvironmentVariable {
  /// Sets one; no other thread may read them meanwhile.
  ///
  /// "The setenv() function need not be thread-safe" (POSIX, setenv).
  public static func set(_ name: String, _ value: String) {
    _ = unsafe setenv(name, value, 1)
  }
}
