import Foundation

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

/// A pipe with a name, as a stranger may put one in a file's place.
public enum NamedPipe {
  /// Makes one; false when that cannot be done.
  public static func make(_ path: String) -> Bool { unsafe mkfifo(path, 0o600) == 0 }
}
