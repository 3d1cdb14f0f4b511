internal import Foundation

/// What differs between systems' C libraries, and every pointer this layer hands to them.
enum Platform {
  /// The most memory this process has held at a time, in bytes.
  static var peakMemory: Int64 {
    var usage = rusage()
    guard unsafe getrusage(Self.ownProcess, &usage) == 0 else { return 0 }
    return Int64(usage.ru_maxrss) * unit
  }

  /// Runs a piece of a task; the executor that was given it does that once.
  static func run(_ job: UnownedJob, on executor: some TaskExecutor) {
    unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
  }

  /// What can be read of a pipe within a time: nil when nothing came, nothing at its end.
  static func read(_ descriptor: Int32, waiting milliseconds: Int32) -> [UInt8]? {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&watched, 1, milliseconds) > 0 else { return nil }
    // read(2): "it is not an error if this number is smaller than the number of bytes requested".
    return unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(0, unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count))
    }
  }

  /// Whether so many files more can be open at a time.
  static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// Whether so many bytes more can be mapped; none of them is touched.
  static func canMap(_ count: Int) -> Bool {
    let flags = MAP_PRIVATE | MAP_ANON
    guard let start = unsafe mmap(nil, count, PROT_NONE, flags, -1, 0), unsafe start != MAP_FAILED
    else { return false }
    return unsafe munmap(start, count) == 0
  }

  /// Sends a signal to a child process and, where it leads a group of its own, to those that it
  /// has started.
  static func signal(_ signal: Int32, to process: Int32) {
    // kill(2): "If pid is less than -1, then sig is sent to every process in the process group
    // whose ID is -pid."
    _ = Foundation.kill(getpgid(process) == process ? -process : process, signal)
  }

  /// How a child process has ended, which others can still ask after; nil while it runs, or when
  /// it was asked for to the last.
  static func end(of process: Int32) -> ProgramEnd? {
    var info = unsafe siginfo_t()
    // waitid(2), WNOWAIT: "Leave the child in a waitable state".
    let options = WEXITED | WNOHANG | WNOWAIT
    guard unsafe waitid(P_PID, id_t(process), &info, options) == 0, unsafe info.si_signo == SIGCHLD
    else { return nil }
    let status = unsafe Self.status(info)
    return unsafe info.si_code == Int32(CLD_EXITED) ? .status(status) : .signal(status)
  }

  #if canImport(Darwin)
  private static func status(_ info: siginfo_t) -> Int32 { unsafe info.si_status }
  #else
  private static func status(_ info: siginfo_t) -> Int32 {
    unsafe info._sifields._sigchld.si_status
  }
  #endif

  #if canImport(Darwin)
  /// The folder for a user's settings.
  static func settings(home: String?) -> String { "\(home ?? "~")/Library/Application Support" }
  #else
  /// The folder for a user's settings: "If $XDG_CONFIG_HOME is either not set or empty, a default
  /// equal to $HOME/.config should be used" (XDG Base Directory Specification).
  static func settings(home: String?) -> String { "\(home ?? "~")/.config" }
  #endif

  #if canImport(Darwin)
  private static let ownProcess = RUSAGE_SELF
  // getrusage(2), macOS: "the maximum resident set size utilized (in bytes)".
  private static let unit: Int64 = 1
  #else
  private static let ownProcess = Int32(RUSAGE_SELF.rawValue)
  // getrusage(2), Linux: "the maximum resident set size used (in kilobytes)".
  private static let unit: Int64 = 1024
  #endif
}
